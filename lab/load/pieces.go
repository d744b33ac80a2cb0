package load

import (
	"fmt"
	"io"
)

// Pieces writes one session/update notification of size bytes to w, piece bytes
// with each write.
func Pieces(w io.Writer, size, piece int) error {
	if piece < 1 {
		return fmt.Errorf("a piece of %d bytes: at least 1", piece)
	}
	frame, err := update(size)
	for err == nil && len(frame) > 0 {
		n := min(piece, len(frame))
		_, err = w.Write(frame[:n])
		frame = frame[n:]
	}
	return err
}
