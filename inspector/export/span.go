package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bobproxy/acp"
)

// span is something that began, and ends.
type span struct {
	trace, id, parent string // hexadecimal
	state             string
	flags             uint32
	name              string
	kind              int
	start, end        time.Time
	attributes        []otlpPair
	code              int
	message           string
	seq               uint64
	written           bool // a turn's, that is over

	call    string   // of a permission: the tool call that it is for
	refuses []string // and the ids of options that refuse
}

const (
	maxAttribute  = 1 << 10 // bytes of one
	maxAttributes = 32
)

func (s *span) set(key, value string) {
	if value == "" || len(s.attributes) == maxAttributes {
		return
	}
	value = strings.ToValidUTF8(value[:min(len(value), maxAttribute)], "")
	s.attributes = append(s.attributes, otlpPair{key, otlpValue{String: &value}})
}

func (s *span) count(key string, n int64) {
	if len(s.attributes) == maxAttributes {
		return
	}
	value := strconv.FormatInt(n, 10)
	s.attributes = append(s.attributes, otlpPair{key, otlpValue{Int: &value}})
}

func (s *span) fail(message string) {
	s.code, s.message = codeError, strings.ToValidUTF8(message[:min(len(message), maxAttribute)], "")
}

// asks takes what a permission is for.
func (s *span) asks(p *acp.Permission) {
	s.call = p.Call.ID.Value
	for _, o := range p.Options {
		if strings.HasPrefix(o.Kind, "reject") && len(s.refuses) < maxRefusing {
			s.refuses = append(s.refuses, o.ID.Value)
		}
	}
}

// maxRefusing is how many options that refuse are known of one permission.
const maxRefusing = 16

// allows says that an answer to the permission s allows what was asked for: it
// selects an option that is none of those that refuse.
func (s *span) allows(f *acp.Frame) bool {
	outcome := member(f.Result, "outcome")
	word, _ := acp.Unquote(member(outcome, "outcome"))
	option, _ := acp.Unquote(member(outcome, "optionId"))
	return word == "selected" && !slices.Contains(s.refuses, option)
}

func (s *span) otlp() otlpSpan {
	end := s.end
	if end.Before(s.start) {
		end = s.start
	}
	return otlpSpan{
		TraceID: s.trace, SpanID: s.id, TraceState: s.state, Parent: s.parent, Flags: s.flags, Name: s.name, Kind: s.kind,
		Start: nanos(s.start), End: nanos(end), Attributes: s.attributes, Status: otlpStatus{s.message, s.code},
	}
}

// nanos are those since 1970, as they are written in OTLP; 0 for what is before.
func nanos(at time.Time) string {
	if at.Year() < 1970 || at.Year() > 2261 {
		return "0"
	}
	return strconv.FormatInt(at.UnixNano(), 10)
}

// ident makes an id of that many bytes from what is the same in every copy.
func ident(size int, of ...any) string {
	sum := sha256.Sum256([]byte(fmt.Sprintln(of...)))
	sum[0] |= 1 // an id of zeros is none
	return hex.EncodeToString(sum[:size])
}

// adopt makes s a part of the trace that the _meta of params or result names
// (W3C Trace Context), if there is one.
func (s *span) adopt(params []byte) {
	meta := member(params, "_meta")
	parent, _ := acp.Unquote(member(meta, "traceparent"))
	parts := strings.Split(parent, "-")
	if len(parts) < 4 || len(parts) > 4 && parts[0] == "00" || parts[0] == "ff" || !isHex(parts[0], 1) || !isHex(parts[3], 1) {
		return
	}
	if !isHex(parts[1], 16) || !isHex(parts[2], 8) || strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return
	}
	flags, _ := strconv.ParseUint(parts[3], 16, 8)
	s.trace, s.parent, s.flags = parts[1], parts[2], uint32(flags)
	state, _ := acp.Unquote(member(meta, "tracestate"))
	s.state = state[:min(len(state), 512)]
}

func isHex(text string, size int) bool {
	return len(text) == 2*size && strings.Trim(text, "0123456789abcdef") == ""
}

// member is the last value of that name.
func member(object []byte, name string) (value []byte) {
	for n, v := range acp.Members(object) {
		if string(n) == name {
			value = v
		}
	}
	return value
}
