package acp_test

import (
	"testing"

	"bobproxy/acp"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		acp.Client.String():       "client",
		acp.Agent.String():        "agent",
		acp.Text.String():         "text",
		acp.Request.String():      "request",
		acp.Notification.String(): "notification",
		acp.Response.String():     "response",
		acp.Error.String():        "error",
		acp.Ambiguous.String():    "ambiguous",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPeer(t *testing.T) {
	if acp.Client.Peer() != acp.Agent || acp.Agent.Peer() != acp.Client {
		t.Error("the sides are not each other's peers")
	}
}
