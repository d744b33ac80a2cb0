package acp

// Setup is what session/new, load, resume and fork name (…/protocol/session-setup).
type Setup struct {
	Session String // absent in session/new
	Cwd     String
	Dirs    []String // additionalDirectories, in their order, whatever they are; something else than an array is one entry that is no string
	Reason  Reason   // as of File
}

var setupNames = []string{"sessionId", "cwd", "additionalDirectories"}

// ReadSetup reads the params of session/new, load, resume and fork.
func ReadSetup(params []byte) (s Setup) {
	w := walker{strict: true}
	s.Reason = w.walk(params, setupNames, func(name string, i int) (int, bool) {
		switch name {
		case "cwd":
			return w.str(i, &s.Cwd)
		case "additionalDirectories":
			return w.dirs(i, &s)
		}
		return w.str(i, &s.Session)
	})
	return s
}

func (w *walker) dirs(i int, s *Setup) (end int, ok bool) {
	s.Dirs = nil
	if w.at(i) != '[' {
		var dirs String
		if end, ok = w.str(i, &dirs); ok && !dirs.Missing() {
			s.Dirs = []String{{Raw: dirs.Raw}}
		}
		return end, ok
	}
	return w.entries(i, func(i int) (int, bool) {
		var dir String
		end, ok := w.str(i, &dir)
		if ok {
			s.Dirs = append(s.Dirs, dir)
		}
		return end, ok
	})
}
