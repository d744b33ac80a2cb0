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
		e.gone = true
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
