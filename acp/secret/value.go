package secret

import "strings"

// literal says that value is a secret itself, when it stands where one is
// wanted. In a shell a value that begins with $ is a variable, whatever its
// name.
func literal(value string, shell bool) bool {
	value = bare(value)
	switch {
	case number(value), plain[strings.ToLower(value)], removed(value), reference(value, shell):
		return false
	}
	return varied(value) && !variable(value)
}

// bare is value without the scheme of an Authorization, and without blanks
// around it.
func bare(value string) string {
	value = strings.TrimSpace(value)
	for _, scheme := range [...]string{"bearer ", "basic ", "token "} {
		if len(value) > len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
			value = strings.TrimSpace(value[len(scheme):])
		}
	}
	return value
}

// plain are words that are no secrets, but say what kind of thing one would be
// or how one logs in.
var plain = set("true", "false", "yes", "no", "on", "off", "null", "nil", "none", "undefined", "basic", "bearer", "digest", "negotiate",
	"ntlm", "oauth", "oauth2", "oidc", "mtls", "saml", "jwt", "token", "password", "secret", "interactive", "browser", "keychain",
	"keyring", "stdin", "prompt", "auto", "default", "string", "number", "boolean", "object", "integer", "required", "optional",
	"always", "never", "inherit", "changeme", "redacted", "disabled", "enabled", "anonymous", "same-origin")

// number says that value has nothing but digits and what stands between them.
func number(value string) bool { return strings.Trim(value, "+-.,:0123456789") == "" }

// removed says that value was masked, or taken out of a copy.
func removed(value string) bool {
	return strings.HasPrefix(value, "[masked]") || strings.HasPrefix(value, "[removed")
}

// reference says that value names where the secret is, or stands for one.
func reference(value string, shell bool) bool {
	first, last := value[0], value[len(value)-1]
	switch {
	case first == '<' && last == '>', first == '{' && last == '}', first == '%' && last == '%' && len(value) > 1:
		return true
	case strings.Contains(value, "${"), strings.Contains(value, "$("), strings.Contains(value, "{{"):
		return true
	case shell && strings.Contains(value, "`"):
		return true
	case first == '$':
		return shell || variable(value[1:]) || upper(value[1:])
	}
	return strings.HasPrefix(value, "op://") || strings.HasPrefix(value, "env:")
}

// variable says that value is the name of a variable that holds a secret.
func variable(value string) bool { return strings.Contains(value, "_") && upper(value) && Name(value) }

// upper says that value is a name in capitals.
func upper(value string) bool {
	for i := range len(value) {
		if c := value[i]; !capital(c) && c != '_' && !(i > 0 && digit(c)) {
			return false
		}
	}
	return value != ""
}

// varied says that value is no filler such as xxxx or ***, and has letters or
// digits at all.
func varied(value string) bool {
	different, known := false, false
	for i := range len(value) {
		different = different || value[i] != value[0]
		known = known || letter(value[i]) || digit(value[i]) || value[i] >= 0x80
	}
	return different && known
}

// generated says that value may have come from a generator, or mixes kinds of
// characters as a word or a name does not.
func generated(value string) bool {
	letters, digits, smalls, capitals := false, false, false, false
	for i := range len(value) {
		c := value[i]
		letters, digits = letters || letter(c), digits || digit(c)
		smalls, capitals = smalls || small(c), capitals || capital(c)
	}
	return letters && digits || smalls && capitals && len(value) >= 16 && !strings.ContainsAny(value, " \t")
}
