package model

// Forbidden says that d ran, or is said to be completed, although that was not
// allowed.
func (d *Deed) Forbidden() bool {
	switch d.Verdict {
	case Refused, TimedOut, Withdrawn:
		return d.Despite || d.completed()
	}
	return false
}
