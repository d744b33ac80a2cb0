package session

// resize counts what e holds.
func (s *Story) resize(e *Entry) {
	size := overhead + len(e.Text) + e.spare() + len(e.ID) + len(e.Name) + 2*len(e.key) + len(e.about)
	if e.Tool != nil {
		size += e.Tool.size()
	}
	s.size += size - e.size
	e.size = size
}

// spare is how much room was made for more text.
func (e *Entry) spare() int {
	if e.build == nil {
		return 0
	}
	return e.build.Cap() - len(e.Text)
}

// measure counts what else a talk holds.
func (s *Story) measure(t *talk) {
	n := len(t.terminals) * (2*maxOutput + maxName)
	for _, m := range t.Modes {
		n += m.size()
	}
	for _, o := range t.Options {
		n += 96 + len(o.ID) + len(o.Name) + len(o.Category) + len(o.Current)
		for _, v := range o.Values {
			n += v.size()
		}
	}
	for _, c := range t.Commands {
		n += 48 + len(c.Name) + len(c.Description) + len(c.Hint)
	}
	for _, p := range t.Plans {
		n += 96 + len(p.ID) + len(p.Kind) + len(p.Text)
		for _, step := range p.Steps {
			n += 48 + len(step.Text) + len(step.Status) + len(step.Priority)
		}
	}
	s.size += n - t.furniture
	t.furniture = n
}

func (c Choice) size() int { return 48 + len(c.ID) + len(c.Name) + len(c.Description) }

// trim makes room: the talk itself keeps its newest entries, and of all talks
// the one that was active longest ago gives its oldest, then what else it has.
func (s *Story) trim(t *talk) {
	for len(t.Entries) > MaxEntries {
		s.drop(t)
	}
	for e := s.byUse.Front(); e != nil && s.size > MaxStory; e = e.Next() {
		idle := e.Value.(*talk)
		for s.size > MaxStory && len(idle.Entries) > 0 && (idle != t || len(idle.Entries) > 1) {
			s.drop(idle)
		}
		if s.size > MaxStory {
			s.strip(idle)
		}
	}
}

// drop forgets the oldest entry.
func (s *Story) drop(t *talk) {
	e := t.Entries[0]
	t.Entries[0] = nil
	t.Entries = t.Entries[1:]
	t.Dropped++
	s.size -= e.size
	e.gone = true
	if t.byKey[e.key] == e {
		delete(t.byKey, e.key)
	}
	if t.echo == e {
		t.echo = nil
	}
	if e.Tool != nil {
		for _, term := range t.terminals {
			term.leave(e)
		}
	}
}

// strip forgets what a talk has besides its entries.
func (s *Story) strip(t *talk) {
	t.Modes, t.Options, t.Commands, t.Plans, t.terminals = nil, nil, nil, nil, nil
	s.measure(t)
}
