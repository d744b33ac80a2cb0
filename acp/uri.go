package acp

import (
	"path/filepath"
	"runtime"
	"strings"
)

// FilePath gives the path in a URI of scheme file (RFC 8089), or in what is an
// absolute path although a URI belongs there; ok is false for every other URI.
//
// The path is as the URI spells it, neither cleaned nor checked, percent
// escapes resolved once, without query and fragment. A URI that names another
// host gives //host/path, which is absolute and in no workspace on this
// machine. One that peers read differently, since it has a backslash, or that
// names nothing, gives the empty path, which is in no workspace either.
func FilePath(uri string) (path string, ok bool) {
	if strings.HasPrefix(uri, "/") || filepath.IsAbs(uri) {
		return uri, true
	}
	rest, ok := cutFileScheme(tidy(uri))
	if !ok {
		return "", false
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	if strings.Contains(rest, `\`) {
		return "", true
	}
	return localPath(rest), true
}

// tidy drops what the WHATWG's URL standard drops before it looks at a URI:
// blanks and control characters around it, tabs and line breaks in it.
func tidy(uri string) string {
	uri = strings.TrimFunc(uri, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(uri)
}

// cutFileScheme cuts the scheme off, whose case does not matter.
func cutFileScheme(uri string) (rest string, ok bool) {
	const scheme = "file:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", false
	}
	return uri[len(scheme):], true
}

// localPath gives the path of what stands behind the scheme: /path, path,
// ///path, //localhost/path or //host/path.
func localPath(rest string) string {
	host, path := "", rest
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, path, _ = strings.Cut(after, "/")
	} else if path, ok = strings.CutPrefix(rest, "/"); !ok && rest == "" {
		return ""
	}
	host, path = percentDecode(host), percentDecode(path)
	switch {
	case host != "" && !strings.EqualFold(host, "localhost"):
		return "//" + host + "/" + path
	case runtime.GOOS == "windows" && filepath.VolumeName(path) != "":
		return path // C:/x
	}
	return "/" + path
}

// percentDecode resolves percent escapes once; what is none stays as it is.
func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, ok1 := hexDigit(s[i+1])
			lo, ok2 := hexDigit(s[i+2])
			if ok1 && ok2 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}
