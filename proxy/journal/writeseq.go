//go:build !linux && !darwin

package journal

// write uses one system call for each slice, so that records of two proxies
// in one file may mix here.
func (o *osFile) write(bufs [][]byte) (int64, error) {
	total := int64(0)
	for _, b := range bufs {
		if len(b) == 0 {
			continue
		}
		n, err := o.Write(b)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
