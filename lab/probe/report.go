package probe

import (
	"encoding/json"
	"time"
)

// Report is what an agent said of itself. Its JSON only ever gets new members.
type Report struct {
	Command  []string `json:"command"`
	Name     string   `json:"name"`  // empty: it did not say
	Title    string   `json:"title"` // likewise
	Version  string   `json:"version"`
	Protocol int      `json:"protocol"` // that it answered with; 0: it did not

	Capabilities json.RawMessage `json:"capabilities"` // as it sent them; null: none
	Auth         []Choice        `json:"authMethods"`
	AuthRequired bool            `json:"authRequired"` // it opens no session before somebody has logged in

	Session  string   `json:"session"` // empty: none was opened
	Modes    []Choice `json:"modes"`
	Mode     string   `json:"mode"`
	Models   []Choice `json:"models"`
	Model    string   `json:"model"`
	Options  []Option `json:"configOptions"`
	Commands []Choice `json:"commands"`

	Took    Took   `json:"took"`
	Updates int    `json:"updates"`         // that came by themselves
	Asked   int    `json:"asked"`           // requests of the agent's, which got no for an answer
	Noise   int    `json:"noise"`           // lines on its stdout that are no messages
	Stderr  string `json:"stderr"`          // the end of what it said there
	Killed  bool   `json:"killed"`          // it did not go when its stdin had ended
	Ending  string `json:"ending"`          // how it ended, in words
	Status  int    `json:"status"`          // the same as a shell's number
	Problem string `json:"error,omitempty"` // why there is no more in here

	// As they came: the lines that answer initialize and session/new, and the end
	// of what was said after its stdin had ended.
	Hello, Opened, Last []byte `json:"-"`
}

// Choice is something with an id that has a name.
type Choice struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
}

// Option is a setting of a session.
type Option struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Current json.RawMessage `json:"currentValue"`
	Values  []Choice        `json:"values"`
}

// Took is how long the agent took. Zero: that did not happen.
type Took struct {
	Start      float64 `json:"startMs"`      // until its process was there
	Initialize float64 `json:"initializeMs"` // from then to its answer
	SessionNew float64 `json:"sessionNewMs"`
	Update     float64 `json:"firstUpdateMs"` // from session/new to the first update
}

func since(t time.Time) float64 {
	return float64(time.Since(t).Round(100*time.Microsecond)) / float64(time.Millisecond)
}
