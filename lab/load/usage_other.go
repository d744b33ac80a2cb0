//go:build !linux

package load

import "errors"

// Usage is errors.ErrUnsupported on this system.
func (l *Link) Usage() (Usage, error) { return Usage{}, errors.ErrUnsupported }
