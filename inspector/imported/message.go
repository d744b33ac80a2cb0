package imported

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	"bobproxy/acp"
)

// message is one line or one element of a list, as far as it can be read.
type message struct {
	from   acp.Direction // 0: it does not say
	arrow  bool          // only an arrow, or a word like sent, says it
	frame  []byte
	at     time.Time // zero: it does not say
	offset time.Duration
	timed  bool // offset is told
}

// Names of the members of a message, the best first.
var (
	bodyNames  = []string{"raw", "frame", "message", "msg", "payload", "rpc", "json", "data", "body", "line", "content"}
	dirNames   = []string{"dir", "direction", "from", "sender", "side", "source", "origin", "who"}
	timeNames  = []string{"time", "timestamp", "ts", "at", "date"}
	maxWrapper = 64 // members that are looked at
)

// readMessage reads one; ok is false when there is no frame in it.
func readMessage(line []byte) (m message, ok bool) {
	switch {
	case len(line) == 0:
		return m, false
	case line[0] == '{':
		return readObject(line)
	case line[0] == '"': // a list of lines
		text, _ := acp.Unquote(line)
		if text = strings.TrimSpace(text); text == "" || text[0] == '"' {
			return m, false
		}
		return readMessage([]byte(text))
	}
	brace := bytes.IndexByte(line, '{')
	if brace < 0 || brace > 512 {
		return m, false
	}
	m, ok = readObject(line[brace:])
	prefix := string(line[:brace])
	if m.from == 0 {
		m.from, m.arrow = direction(prefix)
	}
	if m.at.IsZero() {
		m.at = dated(prefix)
	}
	return m, ok
}

// readObject reads a message that is an object: a frame, or what a frame is in.
func readObject(object []byte) (m message, ok bool) {
	if !json.Valid(object) {
		return m, false
	}
	members := map[string][]byte{}
	for name, value := range acp.Members(object) {
		if len(members) == maxWrapper {
			break
		}
		members[string(name)] = value
	}
	if isFrame(members) && members["jsonrpc"] != nil {
		m.frame = object
		m.from, m.arrow = told(members)
		m.when(members)
		if m.from != 0 {
			m.frame = without(object, m.from != 0)
		}
		return m, true
	}
	m.from, m.arrow = told(members)
	m.when(members)
	for _, name := range bodyNames {
		if frame := inner(members[name], name == "raw"); frame != nil {
			m.frame = frame
			return m, true
		}
	}
	if isFrame(members) {
		m.frame = without(object, m.from != 0)
		return m, true
	}
	return m, false
}

// isFrame says that an object looks like a frame of JSON-RPC.
func isFrame(members map[string][]byte) bool {
	return members["method"] != nil || members["id"] != nil && (members["result"] != nil || members["error"] != nil)
}

// inner is the frame that a member holds, as an object or spelled in a string. A
// raw line counts even when it is no object.
func inner(value []byte, raw bool) []byte {
	if len(value) == 0 {
		return nil
	}
	if value[0] == '{' {
		members := map[string][]byte{}
		for name, v := range acp.Members(value) {
			if len(members) < maxWrapper {
				members[string(name)] = v
			}
		}
		if !isFrame(members) {
			return nil
		}
		return value
	}
	text, ok := acp.Unquote(value)
	text = strings.Trim(text, "\r\n")
	if !ok || text == "" || !raw && text[0] != '{' {
		return nil
	}
	return []byte(text)
}

// without is the frame without the members that say who sent it and when.
func without(object []byte, sure bool) []byte {
	if !sure {
		return object
	}
	rest := []byte{'{'}
	for name, value := range acp.Members(object) {
		switch string(name) {
		case "jsonrpc", "id", "method", "params", "result", "error":
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			rest = append(append(append(append(rest, '"'), name...), `":`...), value...)
		}
	}
	return append(rest, '}')
}

func told(members map[string][]byte) (from acp.Direction, arrow bool) {
	for _, name := range dirNames {
		word, ok := acp.Unquote(members[name])
		if !ok {
			continue
		}
		if from, arrow = direction(word); from != 0 {
			return from, arrow
		}
	}
	if to, ok := acp.Unquote(members["to"]); ok {
		if from, arrow = direction(to); from != 0 {
			return from.Peer(), arrow
		}
	}
	if kind, ok := acp.Unquote(members["type"]); ok {
		return direction(kind)
	}
	return 0, false
}

var (
	clientWords = lazily(`\b(?:client|editor|ide|zed|c2[as]|stdin)`)
	agentWords  = lazily(`\b(?:agent|server|[as]2c|stdout)`)
	outWords    = lazily(`→|->|=>|>>|^\s*>|\b(?:out|outgoing|outbound|sen[dt]|sending|tx|write)\b`)
	inWords     = lazily(`←|<-|<=|<<|^\s*<|\b(?:in|incoming|inbound|recv|receive|received|receiving|rx|read)\b`)
)

// lazily compiles when it is first asked: a proxy that starts needs none of this.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// direction reads words and arrows. Who is named first is the sender; arrows and
// words such as sent are taken for the client's.
func direction(text string) (from acp.Direction, arrow bool) {
	text = strings.ReplaceAll(strings.ToLower(text), "_", " ")
	client, agent := first(clientWords, text), first(agentWords, text)
	out, in := first(outWords, text), first(inWords, text)
	switch {
	case client < agent:
		from = acp.Client
	case agent < client:
		from = acp.Agent
	case out < in:
		return acp.Client, true
	case in < out:
		return acp.Agent, true
	}
	if client != agent && client != nowhere && agent != nowhere && in < out { // client <- agent
		return from.Peer(), false
	}
	return from, false
}

const nowhere = math.MaxInt

func first(found func() *regexp.Regexp, text string) int {
	if at := found().FindStringIndex(text); at != nil {
		return at[0]
	}
	return nowhere
}

// when reads a message's time.
func (m *message) when(members map[string][]byte) {
	var ms float64
	if json.Unmarshal(members["ms"], &ms) == nil && ms >= 0 && ms < 1e12 {
		m.offset, m.timed = time.Duration(ms*float64(time.Millisecond)), true
		return
	}
	for _, name := range timeNames {
		value := members[name]
		if text, ok := acp.Unquote(value); ok {
			if m.at = dated(text); !m.at.IsZero() {
				return
			}
		}
		var number float64
		if len(value) > 0 && json.Unmarshal(value, &number) == nil {
			if at, ok := moment(number); ok {
				m.at = at
				return
			}
		}
	}
}

// moment is a time that is told as a number since 1970, in whatever unit its size
// says.
func moment(number float64) (at time.Time, ok bool) {
	for _, unit := range []struct{ from, nanos float64 }{{1e17, 1}, {1e14, 1e3}, {1e11, 1e6}, {1e8, 1e9}} {
		if number >= unit.from && number < unit.from*1e3 {
			whole := math.Floor(number * unit.nanos / 1e9)
			return time.Unix(int64(whole), int64((number-whole*1e9/unit.nanos)*unit.nanos)).UTC(), true
		}
	}
	return time.Time{}, false
}

var dates = lazily(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?`)

// dated is the date in a text; without a zone it is UTC.
func dated(text string) time.Time {
	found := strings.Replace(strings.Replace(dates().FindString(text[:min(len(text), 512)]), " ", "T", 1), ",", ".", 1)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, found); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
