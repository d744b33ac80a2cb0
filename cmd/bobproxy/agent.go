package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"bobproxy/proxy"
	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"
)

// agent is what to run: an executable that may have to be looked up, the
// arguments as given, and the environment.
type agent struct {
	argv    []string
	env     []string
	hint    string // what to do when it is not in PATH
	secrets []string
}

// runBob is `bobproxy acp ARGS…`: everything after the word acp is bob's.
func runBob(s *settings, args []string, std streams) int {
	if err := s.complete(); err != nil {
		return refuse(std, err)
	}
	if len(args) == 0 && !s.pipe && isTerminal(std.in) {
		fmt.Fprintln(std.err, "bobproxy: `bobproxy acp` is for an editor to start, and stdin is a terminal; put it in your editor's configuration, or try: bobproxy demo")
		return exitUsage
	}
	bob := s.bob
	if bob == "" {
		bob = "bob"
	}
	return launch(s, agent{
		argv:    append([]string{bob}, bobArguments(args, s.lookup)...),
		env:     bobEnvironment(os.Environ()),
		hint:    "name it with --bob FILE or BOB_PATH",
		secrets: secretValues(s.lookup),
	}, std)
}

// bobArguments are the words after bob: acp and what the editor gave, or where
// it gave nothing the whole of BOB_ARGUMENTS, which includes the word acp.
func bobArguments(args []string, lookup func(string) (string, bool)) []string {
	if list, ok := lookup("BOB_ARGUMENTS"); ok && list != "" && len(args) == 0 {
		return strings.Split(list, ",")
	}
	return append([]string{"acp"}, args...)
}

// bobEnvironment adds the name that Bob Shell reads its key from, unless it is
// set already.
func bobEnvironment(env []string) []string {
	const from, to = "BOB_API_KEY=", "BOBSHELL_API_KEY="
	key := ""
	for _, entry := range env {
		if strings.HasPrefix(entry, to) {
			return env
		}
		if value, ok := strings.CutPrefix(entry, from); ok {
			key = value
		}
	}
	if key == "" {
		return env
	}
	return append(slices.Clip(env), to+key)
}

func secretValues(lookup func(string) (string, bool)) (values []string) {
	for _, name := range []string{"BOB_API_KEY", "BOBSHELL_API_KEY"} {
		if value, ok := lookup(name); ok {
			values = append(values, value)
		}
	}
	return values
}

// runAgent is `bobproxy run [flags] -- CMD ARGS…`. Without the two dashes it
// would be a guess whose flags are whose.
func runAgent(s *settings, args []string, std streams) int {
	ours, argv, dashes := args, []string(nil), slices.Index(args, "--")
	if dashes >= 0 {
		ours, argv = args[:dashes], args[dashes+1:]
	}
	stray, err := s.parse(ours)
	if err == nil {
		err = s.complete()
	}
	switch {
	case err != nil:
		return refuse(std, err)
	case slices.Contains(s.given, "bob"):
		return refuse(std, usageError("--bob is for acp; run takes the agent's command behind --"))
	case dashes < 0 && len(stray) > 0:
		return refuse(std, usageError("put -- in front of the agent's command: bobproxy run -- "+strings.Join(stray, " ")))
	case len(stray) > 0:
		return refuse(std, usageError(fmt.Sprintf("%q in front of -- is no flag; the agent's command follows --", stray[0])))
	case len(argv) == 0 || argv[0] == "":
		return refuse(std, usageError("which agent? Its command follows --: bobproxy run -- goose acp"))
	}
	return launch(s, agent{
		argv:    argv,
		env:     os.Environ(),
		hint:    "give its whole path, or set PATH in the editor's configuration",
		secrets: secretValues(s.lookup),
	}, std)
}

// launch finds the agent and proxies it. On a terminal nobody speaks ACP: that
// is how editors let their user log in to an agent, with the configured command
// and arguments of their own, so the agent takes our place.
func launch(s *settings, a agent, std streams) int {
	if err := s.contradiction(std); err != nil {
		return refuse(std, err)
	}
	file, code, err := find(a.argv[0], a.hint, s.lookup)
	if err != nil {
		fmt.Fprintf(std.err, "bobproxy: %v\n", err)
		return code
	}
	if !s.pipe && isTerminal(std.in) {
		err := replace(file, a.argv, a.env)
		fmt.Fprintf(std.err, "bobproxy: running %s: %v\n", file, err)
		return proxy.ExitNotExecutable
	}
	keeper.Adopt()
	frugal(s.lookup)
	signals, stop := catchSignals()
	defer stop()
	code, err = proxy.Run(proxy.Options{
		Path: file, Argv: a.argv, Env: a.env,
		Stdin: std.in, Stdout: std.out, Stderr: std.err,
		Signals: signals,
		Journal: recording(s, a),
		Version: version,
	})
	if err != nil {
		fmt.Fprintf(std.err, "bobproxy: %v\n", err)
	}
	return code
}

// contradiction says which settings cannot be meant together.
func (s *settings) contradiction(std streams) error {
	switch {
	case s.recordRequired && s.record == "off":
		return usageError("--record off and --record-required contradict each other; leave one of them out")
	case s.record != os.DevNull && sameFile(s.record, std.out):
		return usageError("--record names our stdout, which is for the editor; name another file")
	}
	return nil
}

func sameFile(name string, f *os.File) bool {
	named, err := os.Stat(name)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(named, open)
}

// frugal makes the collector run more often: there is a proxy for each agent,
// and what it allocates is little and lives long.
func frugal(lookup func(string) (string, bool)) {
	if _, ok := lookup("GOGC"); !ok {
		debug.SetGCPercent(40)
	}
}

func recording(s *settings, a agent) journal.Options {
	o := journal.Options{
		Instance: newInstance(),
		Dir:      s.recordDir,
		Required: s.recordRequired,
		MaxBytes: int64(s.recordMaxSize),
		MaxAge:   time.Duration(s.recordMaxAge),
		Secrets:  a.secrets,
	}
	switch s.record {
	case "":
	case "off":
		o.Off = true
	default: // the file wins over a directory from the environment
		o.Path, o.Dir = s.record, ""
	}
	return o
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
