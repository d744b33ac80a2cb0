package talk

import (
	"bobproxy/acp"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// nothing says why nothing was said yet, each reason in words of its own.
func nothing(s *model.Session, c pane.Context) []string {
	p := s.Proxy
	if p == nil {
		return []string{"Nothing was said yet."}
	}
	_, over := s.Until(c.Now)
	if row := signingIn(p); row != nil && !over {
		return []string{
			"Waiting for `" + row.Method + "` since " + lapse.Clock(c.Now.Sub(row.Time)) + ".",
			"",
			"Sign in where the agent asks you to, often a browser. It may take minutes.",
		}
	}
	switch {
	case p.Link == model.Connecting:
		return []string{"Connecting to the proxy."}
	case p.Link == model.Gone, p.Exit != nil && p.Link != model.Recorded:
		return []string{"Nothing was said before the proxy ended."}
	case p.Link == model.Recorded:
		return []string{"The recording has no talk in this session."}
	}
	return append(silence(p, s, c), lost(p)...)
}

func lost(p *model.Proxy) []string {
	if p.Link != model.Lost {
		return nil
	}
	return []string{"", "The connection to the proxy is lost; it is being dialed again."}
}

// silence says who has to say something next.
func silence(p *model.Proxy, s *model.Session, c pane.Context) []string {
	greeting := unanswered(p, acp.MethodInitialize)
	switch {
	case p.Frames[acp.Client] == 0 && p.Frames[acp.Agent] == 0:
		return []string{"The agent has started. The editor has said nothing yet."}
	case p.Frames[acp.Agent] == 0:
		return []string{
			"The agent has said nothing yet.",
			"The editor wrote last " + lapse.Clock(c.Now.Sub(p.Last[acp.Client])) + " ago.",
		}
	case onlyText(p):
		return []string{
			"The agent has said nothing that is ACP.",
			"It may have been started without the argument that makes it speak ACP. w shows what it wrote.",
		}
	case greeting != nil:
		return []string{"Waiting for the agent's answer to `initialize` since " + lapse.Clock(c.Now.Sub(greeting.Time)) + "."}
	case s.Talk.Session == "":
		return []string{"Signed in or not, no session was opened yet. Start a chat in the editor."}
	}
	return []string{"No prompt yet.", "", "What is said in this session appears here."}
}

// onlyText says that no line of the agent could be read as a message.
func onlyText(p *model.Proxy) bool {
	if p.Protocol != 0 || p.Agent.Name != "" {
		return false
	}
	for _, r := range p.Rows {
		if r.From == acp.Agent && r.Kind != acp.Text {
			return false
		}
	}
	return true
}
