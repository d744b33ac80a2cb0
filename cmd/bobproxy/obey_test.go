//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// obey is an agent that does what the editor's lines say:
//
//	ask ID TITLE   asks for a permission
//	say LINE       says LINE
//	flood N        says N updates of a kilobyte
//	moan TEXT      writes TEXT, which is quoted as in Go, to stderr
//	run COMMAND    has a shell run COMMAND and tells, as a JSON string, what it wrote
//	               and its exit status
//
// and says "heard" and the line for any other.
func obey() int {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "ask":
			id, title, _ := strings.Cut(rest, " ")
			fmt.Print(permit(id, title))
		case "say":
			fmt.Println(rest)
		case "flood":
			n, _ := strconv.Atoi(rest)
			flood(n)
		case "moan":
			text, _ := strconv.Unquote(rest)
			fmt.Fprintln(os.Stderr, text)
		case "run":
			c := exec.Command("sh", "-c", rest)
			out, _ := c.CombinedOutput()
			text, _ := json.Marshal(string(out))
			fmt.Println(c.ProcessState.ExitCode(), string(text))
		default:
			fmt.Println("heard", in.Text())
		}
	}
	return 0
}

// permit is a permission request.
func permit(id, title string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"` + title +
		`","kind":"execute","rawInput":{"command":"make"}},"options":[{"optionId":"yes","name":"Run it","kind":"allow_once"},` +
		`{"optionId":"ever","name":"Always","kind":"allow_always"},{"optionId":"no","name":"Leave it","kind":"reject_once"}]}}` + "\n"
}

// permitted is the editor's reply to one.
func permitted(id, option string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"selected","optionId":"` + option + `"}}}` + "\n"
}

// withdrawal is what takes the dialog away from the editor again.
func withdrawal(id string) string {
	return `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}` + "\n"
}

// floodLine is one of flood's updates.
func floodLine(dst []byte, i int) []byte {
	return fmt.Appendf(dst, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%0900d"}}}}`+"\n", i)
}

func flood(n int) {
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	var line []byte
	for i := range n {
		line = floodLine(line[:0], i)
		out.Write(line)
	}
	out.Flush()
}

// glance is what a panel tells at first.
type glance struct {
	Events  int // from before
	Pending []control.Pending
	Answers string
}

// watchAsPanel is a panel that looks and does not answer. It tells a glance, then a
// line for each request that opens and for each decision, until the proxy ends.
func watchAsPanel(path string) int {
	c, err := control.Dial(context.Background(), control.Endpoint{Instance: strings.TrimSuffix(filepath.Base(path), ".sock"), Path: path}, broker.ByPanel)
	if err != nil {
		return complain(err)
	}
	state, before, deltas, err := c.Watch(context.Background())
	if err != nil {
		return complain(err)
	}
	json.NewEncoder(os.Stdout).Encode(glance{len(before), state.Pending, c.Greeting().Answers})
	for d := range deltas {
		switch e := d.Event; {
		case e.Type == journal.OpenedEvent && d.Pending != nil:
			fmt.Println("opened", d.Pending.Request, d.Pending.Title)
		case e.Type == journal.DecisionEvent:
			fmt.Println("decided", e.Decision.Request, e.Decision.By)
		case e.Type == journal.ExitEvent:
			fmt.Println("exit", e.Exit.Status)
		}
	}
	fmt.Println(c.Err())
	return 0
}
