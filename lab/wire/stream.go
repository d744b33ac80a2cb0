package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxLine is the longest frame that is read; a longer one is refused.
const maxLine = 64 << 20

// Stream is a jsonrpc2.ObjectStream of one frame a line.
type Stream struct {
	// AtEOF, when set, is called once before the end of the input is
	// reported, while replies can still be written.
	AtEOF func()

	// Stray, when set, is given each response whose id no request of ours can
	// have, such as the error with a null id that answers garbage. It runs on
	// the reading goroutine and keeps nothing of the line.
	Stray func(line []byte)

	lines *bufio.Reader
	in    io.Reader

	mu  sync.Mutex // one frame is written at a time
	out io.Writer
}

// NewStream reads frames from in and writes them to out. It owns both: closing
// the stream closes those that can be closed.
func NewStream(in io.Reader, out io.Writer) *Stream {
	return &Stream{in: in, out: out, lines: bufio.NewReaderSize(in, 64<<10)}
}

// WriteObject writes v as one line with a single Write.
func (s *Stream) WriteObject(v any) error {
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(v); err != nil {
		return err
	}
	return s.WriteLines(line.Bytes())
}

// WriteLines writes lines as they stand, their ends included, with a single
// Write: for frames that no encoder would make.
func (s *Stream) WriteLines(lines []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.out.Write(lines)
	return err
}

// ReadObject reads the next frame that jsonrpc2 can handle into v. Its errors
// are those of the input alone.
func (s *Stream) ReadObject(v any) error {
	for {
		line, err := s.readLine()
		if len(line) > 0 && s.accept(line, v) {
			return nil
		}
		if err != nil {
			if err == io.EOF && s.AtEOF != nil {
				s.AtEOF()
			}
			return err
		}
	}
}

// CloseWrite ends the output, so that the peer sees the end of its input.
func (s *Stream) CloseWrite() error {
	if c, ok := s.out.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Close closes both directions.
func (s *Stream) Close() error {
	err := s.CloseWrite()
	if c, ok := s.in.(io.Closer); ok {
		return c.Close()
	}
	return err
}

// readLine returns the next line without blanks around it; of one that is too
// long it returns nothing.
func (s *Stream) readLine() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := s.lines.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line, tooLong = nil, true
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if tooLong {
			s.refuse(nil, Errorf(jsonrpc2.CodeInvalidRequest, "frame longer than %d bytes", maxLine))
		}
		return bytes.TrimSpace(line), err
	}
}

// accept decodes a line into v, or refuses it.
func (s *Stream) accept(line []byte, v any) bool {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		if json.Valid(line) {
			s.refuse(nil, Errorf(jsonrpc2.CodeInvalidRequest, "not a JSON-RPC message"))
		} else {
			s.refuse(nil, Errorf(jsonrpc2.CodeParseError, "not JSON"))
		}
		return false
	}
	if head.Method == nil {
		return s.response(head.ID, head.Result != nil || head.Error != nil, line, v)
	}
	if head.ID != nil && string(head.ID) != "null" && !usable(head.ID) {
		s.refuse(head.ID, Errorf(jsonrpc2.CodeInvalidRequest, "ids here are strings and non-negative integers"))
		return false
	}
	if err := json.Unmarshal(line, v); err != nil {
		s.refuse(head.ID, Errorf(jsonrpc2.CodeInvalidRequest, "not a JSON-RPC message: %v", err))
		return false
	}
	return true
}

// response decodes a line without a method into v. One that can be to nothing
// of ours is not worth an answer, and answering an error with an error could go
// on for ever.
func (s *Stream) response(id json.RawMessage, says bool, line []byte, v any) bool {
	if says && !usable(id) && s.Stray != nil {
		s.Stray(line)
	}
	return says && usable(id) && json.Unmarshal(line, v) == nil
}

// usable reports whether jsonrpc2 can hold and repeat an id.
func usable(raw json.RawMessage) bool {
	if len(raw) == 0 || string(raw) == "null" {
		return false
	}
	var id jsonrpc2.ID
	return json.Unmarshal(raw, &id) == nil
}

// refuse answers a line that is not handed on. It writes on the reading
// goroutine: who sends garbage without reading the answers waits for itself.
func (s *Stream) refuse(id json.RawMessage, why *jsonrpc2.Error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	_ = s.WriteObject(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc2.Error `json:"error"`
	}{"2.0", id, why})
}

// Error codes of the protocol beside those of JSON-RPC.
const (
	CodeCancelled = -32800
	CodeNotFound  = -32002
)

// Errorf makes an error reply.
func Errorf(code int64, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
