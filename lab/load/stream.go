package load

import "io"

// batch is how many bytes of frames Stream writes at once, in bytes.
const batch = 256 << 10

// Stream writes n session/update notifications of size bytes each to w, many
// with one write.
func Stream(w io.Writer, n, size int) error {
	frame, err := update(size)
	if err != nil {
		return err
	}
	per := max(1, batch/size)
	buf := make([]byte, 0, per*size)
	for range per {
		buf = append(buf, frame...)
	}
	for first := 0; first < n; first += per {
		some := buf[:min(per, n-first)*size]
		for i := 0; i*size < len(some); i++ {
			number(some[i*size:], first+i)
		}
		if _, err := w.Write(some); err != nil {
			return err
		}
	}
	return nil
}
