package lab

import (
	"errors"
	"fmt"
	"io"

	"bobproxy/lab/retrybudget"
)

// newExercise serves "lab new".
func newExercise(args []string, stdout io.Writer) error {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		return misuse("new takes one directory, for example: bobproxy lab new /tmp/exercise")
	}
	dir := args[0]
	err := retrybudget.Materialise(dir)
	if errors.Is(err, retrybudget.ErrNotEmpty) {
		return misuse("%s is not empty: name a directory that is empty or does not exist", dir)
	}
	if err != nil {
		return fmt.Errorf("writing the exercise: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "RetryBudget is in %s; %s there says what is broken\n", dir, retrybudget.Verify)
	return err
}
