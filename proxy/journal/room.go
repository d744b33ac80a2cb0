package journal

import "time"

// room says whether a record of about size bytes may be kept.
func (r *recorder) room(size int64) bool {
	// Only what is added makes the buffer fuller, so it need not be looked at
	// for every record.
	if r.headroom -= size; r.headroom >= 0 {
		return true
	}
	if r.dropping {
		r.dropping = r.used() > bufferBytes/2
		return !r.dropping
	}
	if r.fits(size) {
		return true
	}
	r.flush()
	if r.await(size) {
		return true
	}
	r.dropping = true
	r.warn("the recording does not keep up and will have a gap")
	return false
}

// await waits until there is room, or reports false.
func (r *recorder) await(size int64) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for !r.fits(size) {
		select {
		case <-r.freed:
		case <-timer.C:
			if !r.required {
				return false
			}
			r.warn("traffic waits for the recording, which is required and stuck")
		}
	}
	return true
}

// fits says whether size more bytes may be kept. A record of any size fits
// into an empty buffer, and after the end none is held up.
func (r *recorder) fits(size int64) bool {
	used := r.used()
	r.headroom = bufferBytes - used - size
	return used == 0 || r.headroom >= 0 || r.over()
}

func (r *recorder) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gaveUp || r.failed != nil
}

func (r *recorder) used() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.filling != nil {
		return r.waiting + r.filling.size
	}
	return r.waiting
}
