package load

import (
	"bytes"
	"io"
)

// Echo answers every line of r on w until r ends: a request with a response of
// the same size, anything else with the same bytes. All lines that one read
// brought are answered with one write, before the next read. What stands behind
// the last line feed comes back when r ends.
func Echo(r io.Reader, w io.Writer) error {
	buf, out := make([]byte, 1<<20), []byte(nil)
	for held := 0; ; {
		if held == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		n, err := r.Read(buf[held:])
		// Only the new bytes are searched, so a long line costs linear time.
		last := bytes.LastIndexByte(buf[held:held+n], '\n')
		whole := held + last + 1
		held += n
		if err != nil || last < 0 {
			whole = 0
		}
		if err != nil {
			whole = held
		}
		if whole > 0 {
			out = appendAnswers(out[:0], buf[:whole])
			if _, err := w.Write(out); err != nil {
				return err
			}
			held = copy(buf, buf[whole:held])
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

func appendAnswers(dst, lines []byte) []byte {
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		if end == 0 {
			return append(dst, lines...)
		}
		dst = appendAnswer(dst, lines[:end])
		lines = lines[end:]
	}
	return dst
}
