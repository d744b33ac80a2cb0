package control

import (
	"fmt"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// event is a [journal.Event] on its way. Members that say nothing are left out.
type event struct {
	Time     time.Time `json:"time,omitzero"`
	Seq      uint64    `json:"seq,omitzero"`
	Instance text      `json:"instance,omitzero"`
	Type     text      `json:"event,omitzero"`

	Dir     string `json:"dir,omitzero"`  // client, agent
	Kind    string `json:"kind,omitzero"` // left out for text
	EOL     string `json:"eol,omitzero"`  // lf, crlf
	Method  text   `json:"method,omitzero"`
	ID      text   `json:"id,omitzero"` // the raw token
	Session text   `json:"session,omitzero"`
	Bytes   int64  `json:"bytes,omitzero"`
	Added   bool   `json:"added,omitzero"`
	Action  text   `json:"action,omitzero"`
	Reason  text   `json:"reason,omitzero"`
	Masked  int    `json:"masked,omitzero"`
	Blanked int    `json:"blanked,omitzero"`
	Form    string `json:"form,omitzero"` // frame, raw, base64
	Body    []byte `json:"body,omitempty"`

	Decision *decision `json:"decision,omitzero"`
	Start    *start    `json:"start,omitzero"`
	Exit     *exit     `json:"exit,omitzero"`
	Gap      *gap      `json:"gap,omitzero"`
	Text     text      `json:"text,omitzero"`
}

type decision struct {
	Request    text  `json:"request,omitzero"`
	By         text  `json:"by,omitzero"`
	Outcome    text  `json:"outcome,omitzero"`
	OptionID   *text `json:"optionId,omitzero"` // may be empty
	OptionKind text  `json:"optionKind,omitzero"`
	Wait       int64 `json:"waitNs,omitzero"`
	Digest     text  `json:"digest,omitzero"`
	Peer       *peer `json:"peer,omitzero"`
	Late       bool  `json:"late,omitzero"`
}

type peer struct {
	PID int  `json:"pid"`
	Exe text `json:"exe,omitzero"`
	TTY text `json:"tty,omitzero"`
}

type start struct {
	Command []text `json:"command,omitempty"`
	PID     int    `json:"pid"`
	Cwd     text   `json:"cwd,omitzero"`
	Version text   `json:"version,omitzero"`
}

type exit struct {
	Status int       `json:"status"`
	Signal text      `json:"signal,omitzero"`
	Left   []process `json:"left,omitempty"`
}

type process struct {
	PID     int  `json:"pid"`
	Command text `json:"command,omitzero"`
}

type gap struct {
	Count uint64 `json:"count"`
	Bytes uint64 `json:"bytes"`
}

// The words by number; a zero is left out.
var (
	dirWords  = []string{"", acp.Client.String(), acp.Agent.String()}
	kindWords = []string{"", acp.Request.String(), acp.Notification.String(), acp.Response.String(), acp.Error.String(), acp.Ambiguous.String()}
	eolWords  = []string{"", "lf", "crlf"}
	formWords = []string{"", "frame", "raw", "base64"}
)

func word[N ~uint8](words []string, n N) string {
	if int(n) < len(words) {
		return words[n]
	}
	return ""
}

func number[N ~uint8](words []string, word string) (N, error) {
	for n, w := range words {
		if w == word {
			return N(n), nil
		}
	}
	return 0, fmt.Errorf("unknown word %.40q", word)
}

func fromEvent(e *journal.Event) event {
	return event{
		Time: e.Time, Seq: e.Seq, Instance: text(e.Instance), Type: text(e.Type),
		Dir: word(dirWords, e.Dir), Kind: word(kindWords, e.Kind), EOL: word(eolWords, e.EOL),
		Method: text(e.Method), ID: text(e.ID), Session: text(e.Session),
		Bytes: e.Bytes, Added: e.Added, Action: text(e.Action), Reason: text(e.Reason), Masked: e.Masked, Blanked: e.Blanked,
		Form: word(formWords, e.Form), Body: e.Body[:min(len(e.Body), maxText)],
		Decision: fromDecision(e.Decision), Start: fromStart(e.Start), Exit: fromExit(e.Exit),
		Gap: (*gap)(e.Gap), Text: text(e.Text),
	}
}

func (e *event) event() (journal.Event, error) {
	dir, err := number[acp.Direction](dirWords, e.Dir)
	if err != nil {
		return journal.Event{}, err
	}
	kind, err := number[acp.Kind](kindWords, e.Kind)
	if err != nil {
		return journal.Event{}, err
	}
	eol, err := number[acp.EOL](eolWords, e.EOL)
	if err != nil {
		return journal.Event{}, err
	}
	form, err := number[journal.Form](formWords, e.Form)
	if err != nil {
		return journal.Event{}, err
	}
	return journal.Event{
		Time: e.Time, Seq: e.Seq, Instance: string(e.Instance), Type: journal.Type(e.Type),
		Dir: dir, Kind: kind, EOL: eol,
		Method: string(e.Method), ID: bytesOf(e.ID), Session: string(e.Session),
		Bytes: e.Bytes, Added: e.Added, Action: string(e.Action), Reason: string(e.Reason), Masked: e.Masked, Blanked: e.Blanked,
		Form: form, Body: e.Body,
		Decision: e.Decision.decision(), Start: e.Start.start(), Exit: e.Exit.exit(),
		Gap: (*journal.Gap)(e.Gap), Text: string(e.Text),
	}, nil
}

func bytesOf(t text) []byte {
	if t == "" {
		return nil
	}
	return []byte(t)
}

func fromDecision(d *journal.Decision) *decision {
	if d == nil {
		return nil
	}
	out := &decision{
		Request: text(d.Request), By: text(d.By), Outcome: text(d.Outcome),
		OptionKind: text(d.OptionKind), Wait: int64(d.Wait),
		Digest: text(d.Digest), Peer: fromPeer(d.Peer), Late: d.Late,
	}
	if d.HasOption {
		out.OptionID = (*text)(&d.OptionID)
	}
	return out
}

func (d *decision) decision() *journal.Decision {
	if d == nil {
		return nil
	}
	out := &journal.Decision{
		Request: string(d.Request), By: string(d.By), Outcome: string(d.Outcome),
		OptionKind: string(d.OptionKind), Wait: time.Duration(d.Wait),
		Digest: string(d.Digest), Peer: d.Peer.peer(), Late: d.Late,
	}
	if id := d.OptionID; id != nil {
		out.OptionID, out.HasOption = string(*id), true
	}
	return out
}

func fromPeer(p *journal.Peer) *peer {
	if p == nil {
		return nil
	}
	return &peer{p.PID, text(p.Exe), text(p.TTY)}
}

func (p *peer) peer() *journal.Peer {
	if p == nil {
		return nil
	}
	return &journal.Peer{PID: p.PID, Exe: string(p.Exe), TTY: string(p.TTY)}
}

func fromStart(s *journal.Start) *start {
	if s == nil {
		return nil
	}
	return &start{texts(s.Command), s.PID, text(s.Cwd), text(s.Version)}
}

func (s *start) start() *journal.Start {
	if s == nil {
		return nil
	}
	return &journal.Start{Command: plain(s.Command), PID: s.PID, Cwd: string(s.Cwd), Version: string(s.Version)}
}

func fromExit(x *journal.Exit) *exit {
	if x == nil {
		return nil
	}
	all := &exit{Status: x.Status, Signal: text(x.Signal)}
	for _, p := range x.Left {
		all.Left = append(all.Left, process{p.PID, text(p.Command)})
	}
	return all
}

func (x *exit) exit() *journal.Exit {
	if x == nil {
		return nil
	}
	all := &journal.Exit{Status: x.Status, Signal: string(x.Signal)}
	for _, p := range x.Left {
		all.Left = append(all.Left, journal.Process{PID: p.PID, Command: string(p.Command)})
	}
	return all
}
