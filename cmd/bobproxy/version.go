package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
)

const versionUsage = `bobproxy version [--json]

Prints the version.

  --json   for scripts: {"version","go","os","arch","commit","modified",
           "protocol"}, one line; commit is empty where it is not known
`

// versionDocument is what `version --json` prints. Members are only ever added.
type versionDocument struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Commit   string `json:"commit"`
	Time     string `json:"time,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified"`       // it is not quite that commit
	Protocol []int  `json:"protocol"`       // versions of ACP that are understood
}

// runVersion is `bobproxy version`.
func runVersion(_ *settings, args []string, std streams) int {
	r := &remote{out: std.out, err: std.err, json: asksForJSON(args)}
	rest, code, done := r.parse(flag.NewFlagSet("version", flag.ContinueOnError), args, versionUsage)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return r.fail(misused("version takes no %s", quotation(rest[0])).with("see: bobproxy version --help"))
	}
	return r.show(newVersionDocument(debug.ReadBuildInfo()), fmt.Sprintln("bobproxy", version))
}

func newVersionDocument(info *debug.BuildInfo, ok bool) versionDocument {
	v := versionDocument{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Protocol: []int{1, 2}}
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
