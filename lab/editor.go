package lab

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"bobproxy/lab/editor"
)

const synopsis = "editor [flags] -- CMD ARGS…\n\n" +
	"Starts CMD as an agent, plays one prompt turn and prints what a person would see.\n" +
	"Exits 0 when the turn ended by itself, 1 when it ended otherwise or not at all or the agent\n" +
	"refused a request, 125 when there was no agent to talk to. The agent starts in the session's\n" +
	"directory, so write whole paths behind --."

// runEditor serves "lab editor". An interrupt cancels the turn; a second one
// ends the program.
func runEditor(args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	opts, err := editorOptions(args, stdout)
	if err != nil {
		return 0, err
	}
	opts.Answers, opts.Out, opts.Stderr = stdin, stdout, stderr
	opts.Width, opts.Colour = look(stdout)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	result, err := editor.Run(ctx, opts)
	return result.ExitCode(), err
}

func editorOptions(args []string, stdout io.Writer) (editor.Options, error) {
	var opts editor.Options
	var allow, wrong string
	flags := flag.NewFlagSet("editor", flag.ContinueOnError)
	flags.StringVar(&opts.Dir, "cwd", "", "the session's `directory` (default: the current one)")
	flags.StringVar(&opts.Prompt, "prompt", "Please repair RetryBudget.", "what to ask the agent")
	flags.StringVar(&opts.Mode, "mode", "", "`mode` to set first, by id or name")
	flags.StringVar(&allow, "allow", string(editor.First), "how to answer permissions, a `rule`:\n"+
		"first   the first allow_once option, else the first that allows\n"+
		"once    the first allow_once option\n"+
		"always  the first allow_always option\n"+
		"reject  the first reject_once option\n"+
		"none    leave them to somebody else\n"+
		"ask     ask on the terminal\n")
	flags.StringVar(&wrong, "misbehave", "", "what to do wrong, `name[,name…]`; what needs a rule goes by first with none and ask:\n"+editorMisbehaviours())
	flags.DurationVar(&opts.Pace, "pace", 0, "`pause` before a rule answers, for example 500ms")
	flags.DurationVar(&opts.Grace, "grace", 5*time.Second, "how long to wait for an agent that should end")
	flags.BoolVar(&opts.NoFiles, "no-fs", false, "do not offer the fs methods")
	flags.BoolVar(&opts.NoTerminal, "no-terminal", false, "do not offer terminals")
	if err := parse(flags, args, stdout, synopsis); err != nil {
		return opts, err
	}
	opts.Command = flags.Args()
	if len(opts.Command) == 0 {
		return opts, misuse("editor: say which agent to start after --, for example: bobproxy lab editor -- bobproxy lab agent")
	}
	rule, err := editor.ParseRule(allow)
	if err != nil {
		return opts, misuse("--allow: %v", err)
	}
	opts.Allow = rule
	if opts.Misbehave, err = editor.ParseMisbehaviours(wrong); err != nil {
		return opts, misuse("--misbehave: %v; see bobproxy lab editor --help", err)
	}
	if info, err := os.Stat(orHere(opts.Dir)); err != nil || !info.IsDir() {
		return opts, misuse("--cwd: %s is not a directory", opts.Dir)
	}
	return opts, nil
}

// editorMisbehaviours lists the editor's, one a line.
func editorMisbehaviours() string {
	var list strings.Builder
	for _, m := range editor.Misbehaviours {
		fmt.Fprintf(&list, "%-19s  %s\n", m.Name, m.Text)
	}
	return strings.TrimSuffix(list.String(), "\n")
}

func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// look says how wide a stream is and whether it takes colour. Only a terminal
// has either.
func look(out io.Writer) (width int, colour bool) {
	file, ok := out.(*os.File)
	if !ok {
		return 0, false
	}
	width, ok = columns(file)
	if !ok {
		return 0, false
	}
	return width, os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
}
