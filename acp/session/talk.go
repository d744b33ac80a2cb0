package session

import (
	"container/list"
	"slices"
	"strings"
)

// talk is a Talk and what is needed to go on with it.
type talk struct {
	Talk
	place *list.Element

	byKey     map[string]*Entry // those that more can come to
	terminals []*terminal
	furniture int // bytes of what is no entry: commands, options, plans, terminals

	open   int    // prompts that are being answered
	stated bool   // the agent says that it is running (v2)
	echo   *Entry // the prompt that the agent may repeat
	echoed int    // how much of it was repeated
	reload bool   // what there is goes when something old is told
	mode   string // id of the mode
}

// overhead is what an entry is counted with besides its texts.
const overhead = 512

// open finds the talk that the frame is part of, or makes it.
func (s *Story) open(c *scene) *talk {
	if c.talk = s.talks[c.session]; c.talk != nil {
		return c.talk
	}
	t := &talk{byKey: map[string]*Entry{}}
	t.Session, t.First, t.Last = strings.Clone(c.session), c.at, c.at
	t.place = s.byUse.PushBack(t)
	s.talks[t.Session] = t
	s.all = append(s.all, t)
	if len(s.all) > MaxTalks {
		s.forget(s.byUse.Front().Value.(*talk))
	}
	c.talk = t
	return t
}

func (s *Story) forget(t *talk) {
	s.clear(t)
	s.strip(t)
	s.byUse.Remove(t.place)
	delete(s.talks, t.Session)
	i := slices.Index(s.all, t)
	s.all = slices.Delete(s.all, i, i+1)
}

// clear forgets what was said.
func (s *Story) clear(t *talk) {
	for _, e := range t.Entries {
		s.size -= e.size
	}
	t.Entries, t.byKey, t.echo, t.Dropped = nil, map[string]*Entry{}, nil, 0
	for _, term := range t.terminals {
		term.tools = nil
	}
}

// add begins an entry. What was said without an id ends with it.
func (s *Story) add(c *scene, kind EntryKind, key string) *Entry {
	t := c.talk
	if c.startsOver() {
		s.clear(t)
		t.reload = false
	}
	if last := t.last(); last != nil && last.ID == "" && last.Tool == nil {
		last.Over = true
	}
	e := &Entry{Kind: kind, At: c.at, Seq: c.seq, Replay: c.replay, key: key}
	t.Entries = append(t.Entries, e)
	if key != "" {
		t.byKey[key] = e
	}
	return c.touch(e)
}

// find gives the entry under key, nil when there is none or it is about to go.
func (c *scene) find(key string) *Entry {
	if c.startsOver() {
		return nil
	}
	return c.talk.byKey[key]
}

// startsOver says that the talk is told anew from here: what there is goes.
func (c *scene) startsOver() bool { return c.replay && c.talk.reload }

// touch says that the frame is about e.
func (c *scene) touch(e *Entry) *Entry {
	if c.told.Entry != e {
		e.Last, e.LastSeq = c.at, c.seq
		e.Frames++
		c.told.Entry = e
	}
	return e
}

func (t *talk) last() *Entry {
	if len(t.Entries) == 0 {
		return nil
	}
	return t.Entries[len(t.Entries)-1]
}

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
