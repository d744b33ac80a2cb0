package journal

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"time"

	"bobproxy/acp"
)

var (
	errNoRecord = errors.New("not a record")
	errTrailing = errors.New("more than one value")
)

// parse reads one record. Its members may stand in any order, unknown ones
// are passed over. The event keeps parts of line.
func parse(line []byte) (Event, error) {
	p := parser{cursor: read(line), line: line}
	if p.PeekKind() != '{' {
		return Event{}, errNoRecord
	}
	if err := p.object(p.member); err != nil {
		return Event{}, err
	}
	if _, err := p.ReadToken(); p.ended(err) != nil || err == nil {
		return Event{}, errTrailing
	}
	if p.e.Type == "" {
		return Event{}, errNoRecord
	}
	p.settle()
	return p.e, nil
}

// parser reads one record into an event.
type parser struct {
	cursor
	line   []byte
	e      Event
	base64 []byte
	bytes  string // of a frame or of a gap
	count  uint64
	d      Decision
	s      Start
	x      Exit
	eol    string
}

func (p *parser) member(name string) error {
	switch name {
	case "frame":
		return p.frame()
	case "id":
		raw, err := p.raw()
		p.e.ID = raw
		return err
	case "command":
		return p.strings(&p.s.Command)
	case "left":
		return p.left()
	case "peer":
		p.d.Peer = new(Peer)
		return p.object(p.peer)
	}
	kind := p.PeekKind()
	if kind == '{' || kind == '[' {
		return p.SkipValue()
	}
	token, err := p.ReadToken()
	if err != nil {
		return err
	}
	return p.scalar(name, token.String())
}

// scalar reads the members that are strings, numbers or true.
func (p *parser) scalar(name, value string) (err error) {
	e := &p.e
	switch name {
	case "time":
		e.Time, err = time.Parse(time.RFC3339Nano, value)
		e.Time = e.Time.UTC()
	case "seq":
		e.Seq, err = strconv.ParseUint(value, 10, 64)
	case "instance":
		e.Instance = value
	case "event":
		e.Type = Type(value)
	case "dir":
		e.Dir, err = direction(value)
	case "kind":
		e.Kind, err = kind(value)
	case "eol":
		p.eol = value
	case "method":
		e.Method = value
	case "session":
		e.Session = value
	case "bytes":
		p.bytes = value
	case "added":
		e.Added = value == "true"
	case "action":
		e.Action = value
	case "reason":
		e.Reason = value
	case "masked":
		e.Masked, err = strconv.Atoi(value)
	case "blanked":
		e.Blanked, err = strconv.Atoi(value)
	case "raw":
		e.Body, e.Form = []byte(value), RawBody
	case "base64":
		p.base64, err = base64.StdEncoding.DecodeString(value)
		e.Form = Base64Body
	case "text":
		e.Text = value
	case "count":
		p.count, err = strconv.ParseUint(value, 10, 64)
	default:
		return p.detail(name, value)
	}
	return err
}

// detail reads the members of decisions, starts and exits.
func (p *parser) detail(name, value string) (err error) {
	switch name {
	case "request":
		p.d.Request = value
	case "by":
		p.d.By = value
	case "outcome":
		p.d.Outcome = value
	case "optionId":
		p.d.OptionID, p.d.HasOption = value, true
	case "optionKind":
		p.d.OptionKind = value
	case "waitMs":
		var ms int64
		ms, err = strconv.ParseInt(value, 10, 64)
		p.d.Wait = time.Duration(ms) * time.Millisecond
	case "digest":
		p.d.Digest = value
	case "late":
		p.d.Late = value == "true"
	case "pid":
		p.s.PID, err = strconv.Atoi(value)
	case "cwd":
		p.s.Cwd = value
	case "version":
		p.s.Version = value
	case "status":
		p.x.Status, err = strconv.Atoi(value)
	case "signal":
		p.x.Signal = value
	}
	return err
}

// settle puts together what depends on the type.
func (p *parser) settle() {
	e := &p.e
	size, _ := strconv.ParseUint(p.bytes, 10, 63)
	switch e.Type {
	case FrameEvent:
		e.Bytes = int64(size)
		e.EOL = map[string]acp.EOL{"": acp.LF, "crlf": acp.CRLF, "none": acp.NoEOL}[p.eol]
		if e.Form == Base64Body {
			e.Body = p.base64
		}
		return
	case DecisionEvent, OpenedEvent:
		e.Decision = &p.d
	case StartEvent:
		e.Start = &p.s
	case ExitEvent:
		e.Exit = &p.x
	case GapEvent:
		e.Gap = &Gap{p.count, size}
	}
	if p.base64 != nil {
		e.Text, e.Form = string(p.base64), NoBody
	}
}

// frame takes the frame's bytes as they lie in the line.
func (p *parser) frame() error {
	if p.PeekKind() != '{' {
		return errNoRecord
	}
	raw, err := p.raw()
	p.e.Body, p.e.Form = raw, FrameBody
	return err
}

// raw takes a value's bytes as they lie in the line.
func (p *parser) raw() ([]byte, error) {
	value, err := p.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(p.InputOffset())
	return p.line[end-len(value) : end : end], nil
}

func (p *parser) strings(all *[]string) error {
	return p.array(func() error {
		token, err := p.ReadToken()
		if err == nil {
			*all = append(*all, token.String())
		}
		return err
	})
}

func (p *parser) left() error {
	return p.array(func() error {
		var left Process
		err := p.object(func(name string) error {
			return p.field(map[string]*string{"command": &left.Command}, &left.PID, name)
		})
		p.x.Left = append(p.x.Left, left)
		return err
	})
}

func (p *parser) peer(name string) error {
	peer := p.d.Peer
	return p.field(map[string]*string{"exe": &peer.Exe, "tty": &peer.TTY}, &peer.PID, name)
}

// field reads pid or one of some strings.
func (p *parser) field(texts map[string]*string, pid *int, name string) (err error) {
	if kind := p.PeekKind(); kind == '{' || kind == '[' {
		return p.SkipValue()
	}
	token, err := p.ReadToken()
	if err != nil {
		return err
	}
	if name == "pid" {
		*pid, err = strconv.Atoi(token.String())
	} else if s := texts[name]; s != nil {
		*s = token.String()
	}
	return err
}

func direction(word string) (acp.Direction, error) {
	for _, d := range [...]acp.Direction{acp.Client, acp.Agent} {
		if d.String() == word {
			return d, nil
		}
	}
	return 0, fmt.Errorf("unknown direction %q", word)
}

func kind(word string) (acp.Kind, error) {
	for k := acp.Text; k <= acp.Ambiguous; k++ {
		if k.String() == word {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind %q", word)
}
