package terminal

// UTF8 says whether the locale of an environment has UTF-8 characters, which is
// what lines and marks are drawn with then.
func UTF8(lookup func(string) (string, bool)) bool { return environment{lookup}.utf8() }
