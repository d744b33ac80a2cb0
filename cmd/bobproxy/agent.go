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
	if err := s.refuseFor("acp"); err != nil {
		return refuse(std, err)
	}
	if err := s.complete("acp"); err != nil {
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
		argv:    append([]string{bob}, bobArguments(args, s.arguments)...),
		env:     bobEnvironment(os.Environ(), string(s.apiKey)),
		hint:    "name it with --bob FILE or BOB_PATH",
		secrets: s.secretValues(),
	}, std)
}

// bobArguments are the words after bob: acp and what the editor gave, or where
// it gave nothing the whole of the setting, which includes the word acp.
func bobArguments(args, setting []string) []string {
	if len(args) == 0 && len(setting) > 0 {
		return setting
	}
	return append([]string{"acp"}, args...)
}

// bobEnvironment adds the key, under the name that Bob Shell reads, too. What is
// set already stays, be it empty.
func bobEnvironment(env []string, key string) []string {
	if key == "" {
		return env
	}
	env = slices.Clip(env)
	for _, name := range []string{"BOB_API_KEY", "BOBSHELL_API_KEY"} {
		if !slices.ContainsFunc(env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") }) {
			env = append(env, name+"="+key)
		}
	}
	return env
}

// secretValues are what must not get into a recording. The key in the
// environment and the one in the file may be two.
func (s *settings) secretValues() (values []string) {
	for _, name := range []string{"BOB_API_KEY", "BOBSHELL_API_KEY"} {
		if value, ok := s.lookup(name); ok {
			values = append(values, value)
		}
	}
	if s.apiKey != "" && !slices.Contains(values, string(s.apiKey)) {
		values = append(values, string(s.apiKey))
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
		err = s.refuseFor("run")
	}
	if err == nil {
		err = s.complete("run")
	}
	switch {
	case err != nil:
		return refuse(std, err)
	case slices.Contains(s.given, "bob"), slices.Contains(s.given, "arguments"):
		return refuse(std, usageError("--bob and --arguments are for acp; run takes the agent's command behind --"))
	case dashes < 0 && len(stray) > 0:
		return refuse(std, usageError("put -- in front of the agent's command: bobproxy run -- "+strings.Join(stray, " ")))
	case len(stray) > 0:
		return refuse(std, usageError(fmt.Sprintf("%q in front of -- is no flag; the agent's command follows --", stray[0])))
	case len(argv) == 0 || argv[0] == "":
		return refuse(std, usageError("which agent? Its command follows --: bobproxy run -- goose acp"))
	case strings.HasPrefix(argv[0], "-"):
		return refuse(std, usageError(fmt.Sprintf("%q behind -- is no command; our flags stand in front of --: bobproxy run %s -- goose acp", argv[0], argv[0])))
	}
	return launch(s, agent{
		argv:    argv,
		env:     os.Environ(),
		hint:    "give its whole path, or set PATH in the editor's configuration",
		secrets: s.secretValues(),
	}, std)
}

// launch finds the agent and proxies it. On a terminal nobody speaks ACP: that
// is how editors let their user log in to an agent, with the configured command
// and arguments of their own, so the agent takes our place.
func launch(s *settings, a agent, std streams) int {
	if err := s.contradiction(std); err != nil {
		return refuse(std, err)
	}
	policy, err := s.policy()
	if err != nil {
		return refuse(std, err)
	}
	policy.AutoApprove = proxy.AutoApproves(a.argv, a.env)
	if policy.AutoApprove != "" && s.refuseAutoApprove {
		fmt.Fprintf(std.err, "bobproxy: %s makes the agent approve by itself, and nothing can guard requests that it never sends; leave that out, or --refuse-auto-approve\n", shown(policy.AutoApprove))
		return proxy.ExitOurs
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
		Policy:  policy,
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
