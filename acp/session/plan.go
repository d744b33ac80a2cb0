package session

import (
	"fmt"

	"bobproxy/acp"
)

// plan takes a plan: the one of version 1, or one of several.
func (s *Story) plan(c *scene, variant string, update []byte) {
	t := c.talk
	body := update
	if variant == "plan_update" {
		body = get(update, "plan")
	}
	id := either(body, maxName, "planId", "id")
	if variant == "plan_removed" {
		t.removePlan(id)
		c.told.First = short(id) + " removed"
		s.measure(t)
		return
	}
	p := planOf(id, body)
	t.setPlan(p)
	c.told.First, c.told.Run = p.words(), variant
	s.measure(t)
}

func (t *talk) removePlan(id string) {
	kept := t.Plans[:0:0]
	for _, p := range t.Plans {
		if p.ID != id {
			kept = append(kept, p)
		}
	}
	t.Plans = kept
}

// setPlan puts a plan in the place of the one with the same id. When there are
// too many the oldest goes.
func (t *talk) setPlan(p Plan) {
	for i := range t.Plans {
		if t.Plans[i].ID == p.ID {
			t.Plans[i] = p
			return
		}
	}
	if len(t.Plans) >= maxPlans {
		t.Plans = append(t.Plans[:0:0], t.Plans[1:]...)
	}
	t.Plans = append(t.Plans, p)
}

func planOf(id string, body []byte) Plan {
	p := Plan{ID: id, Kind: str(body, maxWord, "type"), Text: either(body, 4*maxTitle, "uri", "markdown", "content", "text")}
	if p.Kind == "" {
		p.Kind = "items"
	}
	for e := range acp.Elements(get(body, "entries")) {
		if step := stepOf(e); step.Text != "" && len(p.Steps) < maxSteps {
			p.Steps = append(p.Steps, step)
		}
	}
	return p
}

// stepOf reads a step, which may be its text alone.
func stepOf(e []byte) Step {
	if text, ok := acp.Unquote(e); ok {
		return Step{Text: clip(text, maxTitle)}
	}
	return Step{clip(blocks(get(e, "content")), maxTitle), str(e, maxWord, "status"), str(e, maxWord, "priority")}
}

func (p *Plan) words() string {
	if p.Kind != "items" {
		return joined(p.Kind, clip(p.Text, MaxFirst))
	}
	done, now := 0, ""
	for _, s := range p.Steps {
		switch {
		case s.Status == "completed":
			done++
		case s.Status == "in_progress" && now == "":
			now = clip(s.Text, MaxFirst)
		}
	}
	return joined(fmt.Sprintf("%d of %d steps done", done, len(p.Steps)), now)
}
