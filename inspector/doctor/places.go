package doctor

import "fmt"

func sockets(f *findings, v View) {
	s := v.Sockets
	for _, problem := range s.Problems {
		f.add(Warning, "sockets", problem, "")
	}
	for _, silent := range s.Silent {
		f.add(Warning, "sockets", silent, "")
	}
	if n := len(s.Dead); n > 0 {
		f.add(Info, "sockets", plural(n, "file")+" of proxies that were killed, such as "+s.Dead[0], "a proxy that starts there a minute later removes them")
	}
	if len(s.Problems)+len(s.Silent) == 0 && len(s.Dirs) > 0 {
		f.add(OK, "sockets", "in "+s.Dirs[0], "")
	}
	if len(s.Dirs) == 0 && len(s.Problems) == 0 {
		f.add(Problem, "sockets", "there is no place for them, so no panel can see a proxy", "set XDG_RUNTIME_DIR to a folder that only you can enter")
	}
}

// littleSpace is when a disk counts as nearly full, in bytes.
const littleSpace = 256 << 20

func recordings(f *findings, v View) {
	s := v.State
	switch {
	case s.Off:
		f.add(Warning, "recordings", "nothing is recorded", "leave out record = off")
	case s.Problem != "":
		f.add(Problem, "recordings", fmt.Sprintf("nothing can be written to %s: %s", s.Dir, s.Problem), "make the folder yours, or set record-dir")
	case s.Free >= 0 && s.Free < littleSpace:
		f.add(Warning, "recordings", fmt.Sprintf("only %s are free for %s", Size(s.Free), s.Dir), "make room, or set record-dir")
	case s.Free >= 0 && s.Free < s.Limit-s.Used:
		f.add(Info, "recordings", fmt.Sprintf("%s are free, but recordings may grow to %s", Size(s.Free), Size(s.Limit)), "set record-max-size")
	default:
		f.add(OK, "recordings", fmt.Sprintf("%s of at most %s in %s", Size(s.Used), Size(s.Limit), s.Dir), "")
	}
}

func config(f *findings, v View) {
	c := v.Config
	switch {
	case c.Problem != "":
		f.add(Problem, "config", c.Problem, "nothing starts before that is mended")
		return
	case c.Exists:
		f.add(OK, "config", c.Path, "")
	default:
		f.add(Info, "config", "there is no "+c.Path+"; all settings are the usual ones", "")
	}
	for _, doubt := range c.Doubts {
		f.add(Warning, "config", doubt, "")
	}
}

// Size is a number of bytes for people.
func Size(n int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
