package journal

import (
	"strings"

	"bobproxy/acp/secret"
)

// place says what to look for in a value, by where it stands.
type place uint8

const (
	elsewhere place = iota // nothing
	within                 // members of known names, at any depth
	trusting               // the same, and members named like a credential
	pairs                  // env and headers: values of {name, value} or of a map
	leaves                 // every string and number
	address                // a URL
	arguments              // a list of arguments, or a command line
	login                  // like leaves, but for methodId
	account                // like within, and accounts are leaves
	answer                 // like within, and content is leaves
)

// parts says what to look for in params and result of a method.
var parts = map[string]struct{ params, result place }{
	"authenticate":       {params: login, result: within},
	"auth/login":         {params: login, result: within},
	"auth/status":        {params: within, result: account},
	"auth/status_update": {params: account},
	"elicitation/create": {params: within, result: answer},
}

// below is the place of a member of a value at p.
func (p place) below(name string) place {
	name = strings.ToLower(name)
	switch p {
	case elsewhere, leaves, address:
		return p
	case login:
		if name == "methodid" {
			return elsewhere
		}
		return leaves
	case pairs:
		return leaves
	case account:
		if name == "accounts" {
			return leaves
		}
	case answer:
		if name == "content" {
			return leaves
		}
	case trusting:
		if name != "headers" && name != "env" && secret.Name(name) {
			return leaves
		}
	}
	switch name {
	case "env", "headers":
		return pairs
	case "url", "baseurl":
		return address
	case "args", "command":
		return arguments
	case "mcpservers", "_meta":
		return trusting
	}
	if p == trusting {
		return trusting
	}
	return within
}
