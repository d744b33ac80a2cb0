package secret

import "bytes"

// rank is how much a name says.
type rank uint8

const (
	none   rank = iota
	likely      // it has other meanings too, in a program
	sure
)

// Name says that a flag, header, member, parameter or variable of this name
// holds a secret.
func Name(name string) bool { return judge(name) != none }

// judge looks at the words of name from the end.
func judge(name string) rank {
	if name == "PWD" || name == "OLDPWD" {
		return none
	}
	var w words
	w.split(name)
	if w.n == 0 || about[string(w.at(1))] || w.n > 1 && denying[string(w.at(w.n))] {
		return none
	}
	if r := last(w.at(1), w.at(2)); r != none {
		return r
	}
	for i := 1; i <= w.n; i++ {
		if r := anywhere(w.at(i), w.at(i+1)); r != none {
			return r
		}
	}
	return none
}

// last is for short words, which mean a secret only at the end of a name, and
// there only alone or behind certain words.
func last(word, before []byte) rank {
	front, short := behind[string(word)]
	switch {
	case !short:
		return none
	case len(before) == 0:
		return likely
	case front[string(before)]:
		return sure
	}
	return none
}

// anywhere is for words that mean a secret wherever they stand, also as the end
// of one that is written together.
func anywhere(word, before []byte) rank {
	one := bytes.TrimSuffix(word, []byte("s"))
	switch string(word) {
	case "tokens": // a number of them
		return none
	case "key", "keys":
		if behind["key"][string(before)] {
			return sure
		}
		return none
	case "word", "phrase":
		if string(before) == "pass" {
			return sure
		}
		return none
	}
	for _, e := range endings {
		if bytes.HasSuffix(one, []byte(e.text)) && string(before) != "progress" {
			return e.rank
		}
	}
	return none
}

// endings are of words that mean a secret.
var endings = [...]struct {
	text string
	rank rank
}{
	{"password", sure}, {"passwd", sure}, {"passphrase", sure}, {"passcode", sure}, {"secret", sure}, {"credential", sure},
	{"apikey", sure}, {"accesskey", sure}, {"privatekey", sure}, {"secretkey", sure}, {"authorization", sure}, {"bearer", sure},
	{"token", likely}, {"cookie", likely}, {"signature", likely},
}

// behind has the short words, and the words behind which they mean a secret for
// sure.
var behind = map[string]map[string]bool{
	"key": set("api", "access", "private", "secret", "signing", "encryption", "master", "auth", "account", "license", "deploy",
		"subscription", "shared", "webhook", "openai", "anthropic", "gemini", "google", "mistral", "azure", "deepseek", "groq"),
	"auth": set("basic", "http", "proxy", "x", "user", "registry"),
	"pass": passes, "pwd": passes, "pw": passes,
	"sig": set(), "jwt": set("auth", "access"),
}

var passes = set("db", "database", "user", "mysql", "postgres", "pg", "mongo", "redis", "rabbitmq", "smtp", "imap", "mail", "email",
	"ftp", "admin", "root", "sudo", "login", "key", "cert", "proxy", "ldap")

// about are last words of names that tell something about a secret.
var about = set("limit", "limits", "count", "counts", "counter", "length", "len", "size", "budget", "usage", "used", "cost", "price",
	"file", "files", "path", "paths", "dir", "directory", "url", "uri", "endpoint", "type", "types", "kind", "name", "names",
	"env", "var", "variable", "mode", "method", "methods", "provider", "scheme", "format", "expiry", "expires", "expiration",
	"ttl", "timeout", "lifetime", "age", "rate", "index", "position", "offset", "start", "end", "stdin", "command", "cmd", "helper",
	"prompt", "policy", "source", "store", "server", "host", "port", "realm", "domain", "scope", "scopes", "field", "label",
	"placeholder", "hint", "prefix", "suffix", "required", "enabled", "disabled", "valid", "invalid", "error", "pattern", "regex", "strength", "status",
	"state", "version", "flow", "window", "location", "description", "algorithm", "alg")

// denying are first words of names that say what is not there, or how many are.
var denying = set("no", "not", "non", "without", "disable", "skip", "ignore", "max", "min", "num", "total", "has", "is")

func set(all ...string) map[string]bool {
	s := make(map[string]bool, len(all))
	for _, word := range all {
		s[word] = true
	}
	return s
}
