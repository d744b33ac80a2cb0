//go:build linux

package control_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// impostor listens under a name and tells what state says.
func impostor(t *testing.T, path, state string) {
	t.Helper()
	listener, err := net.Listen("unix", path)
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for id := 0; ; id++ {
					if _, err := in.ReadString('\n'); err != nil {
						return
					}
					result := state
					if id == 0 {
						result = `{"instance":"` + instance + `","answers":"all"}`
					}
					fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, result)
				}
			}()
		}
	}()
}

// What listens somewhere cannot show another proxy's requests as its own wishes:
// that one would be answered by their names.
func TestTellsOfAnother(t *testing.T) {
	for name, told := range map[string]string{
		"itself":  `{"instance":"other","pending":[]}`,
		"request": `{"instance":"test1","pending":[{"request":"other:1","instance":"test1","id":"1"}]}`,
		"whose":   `{"instance":"test1","pending":[{"request":"test1:1","instance":"other","id":"1"}]}`,
	} {
		for what, state := range map[string]string{"state": told, "watch": `{"state":` + told + `,"events":0}`} {
			t.Run(name+" in "+what, func(t *testing.T) {
				path := filepath.Join(folder(t), "socket")
				impostor(t, path, state)
				c, err := control.Dial(deadline(t), control.Endpoint{Instance: instance, Path: path}, broker.ByCommand)
				must(t, err)
				defer c.Close()
				if what == "state" {
					_, err = c.State(deadline(t))
				} else {
					_, _, _, err = c.Watch(deadline(t))
				}
				if err == nil || !strings.Contains(err.Error(), `"other"`) {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

// What tells of the past without end is not listened to until memory is full.
func TestTellsWithoutEnd(t *testing.T) {
	for name, c := range map[string]struct {
		count int
		event string
	}{
		"many": {1 << 60, `{"time":"2026-11-30T18:00:02Z","seq":1,"event":"stderr","text":"x"}`},
		"long": {9999, `{"seq":1,"event":"stderr","session":"` + strings.Repeat("x", 60_000) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder(t), "socket")
			told := 0
			var endless strings.Builder
			fmt.Fprintf(&endless, `{"state":{"instance":"test1","pending":[]},"events":%d}}`+"\n", c.count)
			for ; told < 1200; told++ {
				fmt.Fprintf(&endless, `{"jsonrpc":"2.0","method":"event","params":{"event":%s}}`+"\n", c.event)
			}
			impostor(t, path, strings.TrimSuffix(endless.String(), "}}\n")+"}") // its last line ends as a result does
			c, err := control.Dial(deadline(t), control.Endpoint{Instance: instance, Path: path}, broker.ByCommand)
			must(t, err)
			defer c.Close()
			if _, _, _, err = c.Watch(deadline(t)); err == nil || !strings.Contains(err.Error(), "more to tell from before") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// Of two proxies with one name neither is asked.
func TestNamesakes(t *testing.T) {
	dir := folder(t)
	for _, base := range []string{"run", "tmp"} {
		name := "bobproxy"
		if base == "tmp" {
			name = fmt.Sprintf("bobproxy-%d", os.Geteuid())
		}
		must(t, os.Mkdir(filepath.Join(dir, base, name), 0o700))
		impostor(t, filepath.Join(dir, base, name, "abcd.sock"), "{}")
		impostor(t, filepath.Join(dir, base, name, base+"1.sock"), "{}")
	}
	found, problems := control.Find(env("XDG_RUNTIME_DIR", filepath.Join(dir, "run"), "TMPDIR", filepath.Join(dir, "tmp")))
	var names []string
	for _, e := range found {
		if strings.HasPrefix(e.Path, dir) {
			names = append(names, e.Instance)
		}
	}
	if got := strings.Join(names, " "); got != "run1 tmp1" {
		t.Errorf("found %s", got)
	}
	if len(problems) == 0 || !strings.Contains(problems[len(problems)-1].Error(), "another proxy abcd") {
		t.Errorf("problems %v", problems)
	}
}

// Nor can it with a request that comes later.
func TestTellsOfAnotherLater(t *testing.T) {
	path := filepath.Join(folder(t), "socket")
	const opened = `{"jsonrpc":"2.0","method":"event","params":{"event":{"event":"opened"},"pending":{"request":"other:1","instance":"test1","id":"1"}}}`
	impostor(t, path, `{"state":{"instance":"test1","pending":[]},"events":0}}`+"\n"+opened[:len(opened)-1])
	c, err := control.Dial(deadline(t), control.Endpoint{Instance: instance, Path: path}, broker.ByCommand)
	must(t, err)
	defer c.Close()
	_, _, deltas, err := c.Watch(deadline(t))
	must(t, err)
	if d := wait(t, "a request or the end", deltas); d.Pending != nil {
		t.Fatalf("told of %+v", d.Pending)
	}
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Errorf("error %v", err)
	}
}
