package journal

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"bobproxy/acp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
)

// encoder writes events as JSON lines into memory, through a logger of its
// own. It is used by one goroutine.
type encoder struct {
	log  zerolog.Logger
	head []byte // the last object the logger wrote, without its closing brace
	time stamp
	same envelopes
}

func newEncoder() *encoder {
	enc := new(encoder)
	enc.log = zerolog.New((*sink)(enc))
	return enc
}

// sink takes what the logger writes: one object and LF.
type sink encoder

func (s *sink) Write(p []byte) (int, error) {
	s.head = append(s.head, p[:len(p)-len("}\n")]...)
	return len(p), nil
}

// begin appends to dst the record of e up to and without its body, which
// follows as a last member, and the closing brace.
func (enc *encoder) begin(dst []byte, e *Event) []byte {
	enc.head = dst
	l := enc.log.Log()
	l.Bytes("time", enc.time.format(e.Time)).Uint64("seq", e.Seq)
	if plain(e) {
		v := enc.same.of(e)
		l.RawJSON("instance", v.head)
		if e.ID != nil {
			l.RawJSON("id", e.ID)
		}
		if e.Session != "" {
			l.RawJSON("session", v.tail)
		}
		l.Int64("bytes", e.Bytes).Send()
		dst, enc.head = enc.head, nil
		return dst
	}
	if e.Instance != "" {
		l.Str("instance", e.Instance)
	}
	l.Str("event", string(e.Type))
	if e.Dir != 0 {
		l.Str("dir", e.Dir.String()) // of others, too: both sides count their ids alike
	}
	if e.Type == FrameEvent {
		l.Str("kind", e.Kind.String())
	}
	enc.common(l, e)
	switch {
	case e.Decision != nil:
		decision(l, e.Decision)
	case e.Start != nil:
		start(l, e.Start)
	case e.Exit != nil:
		exit(l, e.Exit)
	case e.Gap != nil:
		l.Uint64("count", e.Gap.Count).Uint64("bytes", e.Gap.Bytes)
	}
	l.Send()
	dst, enc.head = enc.head, nil
	return dst
}

func (enc *encoder) common(l *zerolog.Event, e *Event) {
	if e.Method != "" {
		l.Str("method", e.Method)
	}
	if e.ID != nil {
		id(l, e.ID)
	}
	if e.Session != "" {
		l.Str("session", e.Session)
	}
	if e.Type == FrameEvent {
		l.Int64("bytes", e.Bytes)
	}
	if e.Added {
		l.Bool("added", true)
	}
	if e.Action != "" {
		l.Str("action", e.Action)
	}
	if e.Reason != "" {
		l.Str("reason", e.Reason)
	}
	if e.Masked > 0 {
		l.Int("masked", e.Masked)
	}
	if e.Blanked > 0 {
		l.Int("blanked", e.Blanked)
	}
	if e.Type == FrameEvent {
		switch e.EOL {
		case acp.CRLF:
			l.Str("eol", "crlf")
		case acp.NoEOL:
			l.Str("eol", "none")
		}
	}
}

// id writes a raw token, as itself when it is JSON.
func id(l *zerolog.Event, raw []byte) {
	if plainNumber(raw) || jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) && utf8.Valid(raw) && oneLine(raw) {
		l.RawJSON("id", raw)
		return
	}
	l.Str("id", string(raw))
}

// plainNumber says that raw is a natural number, as most ids are.
func plainNumber(raw []byte) bool {
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(raw) == 1 || len(raw) > 1 && raw[0] != '0'
}

func oneLine(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' {
			return false
		}
	}
	return true
}

func decision(l *zerolog.Event, d *Decision) {
	some(l, "request", d.Request)
	some(l, "by", d.By)
	some(l, "outcome", d.Outcome)
	if d.HasOption {
		l.Str("optionId", d.OptionID)
	}
	some(l, "optionKind", d.OptionKind)
	if d.Wait > 0 {
		l.Int64("waitMs", d.Wait.Milliseconds())
	}
	some(l, "digest", d.Digest)
	if p := d.Peer; p != nil {
		peer := zerolog.Dict().Int("pid", p.PID)
		some(peer, "exe", p.Exe)
		some(peer, "tty", p.TTY)
		l.Dict("peer", peer)
	}
	if d.Late {
		l.Bool("late", true)
	}
}

func start(l *zerolog.Event, s *Start) {
	l.Strs("command", s.Command).Int("pid", s.PID)
	some(l, "cwd", s.Cwd)
	some(l, "version", s.Version)
}

func exit(l *zerolog.Event, x *Exit) {
	l.Int("status", x.Status)
	some(l, "signal", x.Signal)
	if len(x.Left) == 0 {
		return
	}
	left := zerolog.Arr()
	for _, p := range x.Left {
		left.Dict(zerolog.Dict().Int("pid", p.PID).Str("command", p.Command))
	}
	l.Array("left", left)
}

func some(l *zerolog.Event, key, value string) {
	if value != "" {
		l.Str(key, value)
	}
}

// body appends the last member of e's record, which may be large, and ends
// the record.
func (enc *encoder) body(dst []byte, e *Event) []byte {
	switch {
	case e.Text != "" && utf8.ValidString(e.Text):
		dst = quote(append(dst, `,"text":`...), []byte(e.Text))
	case e.Text != "":
		dst = quote64(append(dst, `,"base64":`...), []byte(e.Text))
	case e.Form == FrameBody:
		dst = append(append(dst, `,"frame":`...), e.Body...)
	case e.Form == RawBody:
		dst = quote(append(dst, `,"raw":`...), e.Body)
	case e.Form == Base64Body:
		dst = quote64(append(dst, `,"base64":`...), e.Body)
	}
	return append(dst, "}\n"...)
}

// AppendRecord appends the record of e as it stands in a recording, without its
// line end. A body that was cut stands there as text.
func (e *Event) AppendRecord(dst []byte) []byte {
	enc, told := newEncoder(), *e
	if told.Form == FrameBody && !jsontext.Value(told.Body).IsValid(jsontext.AllowDuplicateNames(true)) {
		if told.Form = RawBody; !utf8.Valid(told.Body) {
			told.Form = Base64Body
		}
	}
	dst = enc.body(enc.begin(dst, &told), &told)
	return dst[:len(dst)-len("\n")]
}

func quote64(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}

// quote appends valid UTF-8 as a JSON string that reads back as the same
// bytes, with no more escapes than JSON asks for.
func quote(dst, b []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i, c := range b {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, b[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, b[from:]...), '"')
}

// stamp formats times, most of which are of the same second as the last one.
// All digits of the nanoseconds are written, so that records sort as text.
type stamp struct {
	second int64
	b      []byte
}

func (s *stamp) format(t time.Time) []byte {
	const seconds = "2006-01-02T15:04:05."
	if s.b == nil || s.second != t.Unix() {
		s.second = t.Unix()
		s.b = append(t.UTC().AppendFormat(s.b[:0], seconds), "000000000Z"...)
	}
	digits := s.b[len(s.b)-len("000000000Z") : len(s.b)-1]
	for n, i := t.Nanosecond(), len(digits)-1; i >= 0; i-- {
		digits[i] = byte('0' + n%10)
		n /= 10
	}
	return s.b
}
