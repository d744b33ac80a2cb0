package session

import "encoding/json"

// These read the few members that package acp does not, only to be shown or
// noted. What is not there, or something else, is nothing; of duplicates the
// last counts.

// member follows names into the objects of value.
func member(value []byte, names ...string) []byte {
	for _, name := range names {
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return nil
		}
		value = object[name]
	}
	return value
}

// first is the first of names that object has.
func first(object []byte, names ...string) []byte {
	for _, name := range names {
		if value := member(object, name); value != nil {
			return value
		}
	}
	return nil
}

// elements are those of an array.
func elements(value []byte) (all [][]byte) {
	var array []json.RawMessage
	if json.Unmarshal(value, &array) != nil {
		return nil
	}
	for _, e := range array {
		all = append(all, e)
	}
	return all
}

// word is a string's value.
func word(value []byte) (s string) {
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
