package proxy

import "bobproxy/proxy/broker"

// invalidParams is the code of every refusal. Others would be misread: editors
// start a login at -32000, agents take -32002 for a file that is not there,
// -32601 for a method that never works, and -32800 for a user's cancellation.
const invalidParams = -32602

// refusal is why a frame does not pass.
type refusal struct {
	reason  string // for the recording
	message string // for whoever sent it, a model as a rule: what is wrong, and that asking again does not help
	rule    string // a word for programs
	path    string // what it named, as it named it
	roots   []string
}

// reply is the error reply to the request with this id; nil where there is none
// that could be answered.
func (r refusal) reply(id []byte) []byte {
	if len(id) == 0 || string(id) == "null" {
		return nil
	}
	type data struct {
		Source string   `json:"source"`
		Rule   string   `json:"rule"`
		Path   string   `json:"path,omitempty"`
		Roots  []string `json:"roots,omitempty"`
	}
	return broker.ErrorReply(id, invalidParams, r.message, data{"bobproxy", r.rule, r.path, r.roots})
}
