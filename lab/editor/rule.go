package editor

import "bobproxy/lab/wire"

// choose picks the option a rule stands for. A rule that finds no option of its
// kind picks none: it does not widen what it was told.
func choose(r Rule, options []wire.PermissionOption) (wire.PermissionOption, bool) {
	switch r {
	case Once:
		return ofKind(options, wire.AllowOnce)
	case Always:
		return ofKind(options, wire.AllowAlways)
	case Reject:
		return ofKind(options, wire.RejectOnce)
	}
	if option, ok := ofKind(options, wire.AllowOnce); ok {
		return option, true
	}
	for _, option := range options {
		if option.Allows() {
			return option, true
		}
	}
	return wire.PermissionOption{}, false
}

func ofKind(options []wire.PermissionOption, kind string) (wire.PermissionOption, bool) {
	for _, option := range options {
		if option.Kind == kind {
			return option, true
		}
	}
	return wire.PermissionOption{}, false
}
