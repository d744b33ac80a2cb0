// Package secret knows what names mean secrets, and finds the values that stand
// behind such names: in a list of arguments, in a command line, in an address,
// in the lines of a file.
//
// It is the one list of such names, for recordings and for copies of them. A name
// is judged by its whole words, which end at a sign, at a digit or where small
// letters become capitals, and by the last of them: accessToken, X-Api-Key and
// DB_PASSWORD hold secrets; tokenizer, max-tokens, token-limit, password-file and
// no-auth hold none.
//
// A value is a secret only when it is one itself. Numbers, true and false, words
// that say how one logs in, references to a variable, and placeholders are not.
//
// What is found are places. Nothing here changes a text or keeps one; time and
// memory are linear in the text, whatever it is.
package secret
