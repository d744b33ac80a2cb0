package load

import (
	"bytes"
	"hash/crc32"
	"io"
)

// Volume is what a stream amounted to. It is an io.Writer that counts what is
// written to it and never fails; two streams with equal volumes are taken to be
// the same.
type Volume struct {
	Frames int64 // line feeds
	Bytes  int64
	Sum    uint32 // CRC-32C
}

// Write counts p.
func (v *Volume) Write(p []byte) (int, error) {
	v.Frames += int64(bytes.Count(p, []byte{'\n'}))
	v.Bytes += int64(len(p))
	v.Sum = crc32.Update(v.Sum, crc32.MakeTable(crc32.Castagnoli), p)
	return len(p), nil
}

// Sink reads r to its end and says what it amounted to.
func Sink(r io.Reader) (Volume, error) {
	var v Volume
	buf := make([]byte, batch)
	for {
		n, err := r.Read(buf)
		v.Write(buf[:n])
		switch {
		case err == io.EOF:
			return v, nil
		case err != nil:
			return v, err
		}
	}
}
