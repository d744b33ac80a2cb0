package load

import (
	"bufio"
	"io"
)

// Turns answers every line of r on w like Echo, one at a time, and calls turn
// before it answers a prompt.
func Turns(r io.Reader, w io.Writer, turn func(io.Writer) error) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, method, _ := request(line); string(method) == "session/prompt" {
			if err := turn(w); err != nil {
				return err
			}
		}
		if _, err := w.Write(appendAnswer(nil, line)); err != nil {
			return err
		}
	}
}
