package control

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const maxText = 64 << 10 // bytes of one string or body in a message

// text is a string that comes out at the other end as it went in, whatever its
// bytes are: a JSON string, or {"base64":…} when it is not UTF-8. What is longer
// than maxText is cut.
type text string

func (t text) MarshalJSONTo(enc *jsontext.Encoder) error {
	if t = clip(t, maxText); utf8.ValidString(string(t)) {
		return enc.WriteToken(jsontext.String(string(t)))
	}
	return jsonv2.MarshalEncode(enc, odd{[]byte(t)})
}

func (t *text) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '{' {
		var o odd
		err := jsonv2.UnmarshalDecode(dec, &o)
		*t = text(o.Base64)
		return err
	}
	var s string
	err := jsonv2.UnmarshalDecode(dec, &s)
	*t = text(s)
	return err
}

// odd is a text that is not UTF-8.
type odd struct {
	Base64 []byte `json:"base64"`
}

// clip cuts t to n bytes without cutting a character.
func clip(t text, n int) text {
	if len(t) <= n {
		return t
	}
	for end := n; end > n-utf8.UTFMax; end-- {
		if utf8.RuneStart(t[end]) {
			return t[:end]
		}
	}
	return t[:n]
}

func texts(list []string) []text {
	var all []text
	for _, s := range list {
		all = append(all, text(s))
	}
	return all
}

func plain(list []text) []string {
	var all []string
	for _, t := range list {
		all = append(all, string(t))
	}
	return all
}

// encode makes JSON of a message of ours. What is not UTF-8 in a plain string is
// replaced.
func encode(v any) (json.RawMessage, error) {
	data, err := jsonv2.Marshal(v, jsontext.AllowInvalidUTF8(true))
	return json.RawMessage(data), err
}

// decode reads what the other end encoded. Members it does not know are left
// out: the other end may be newer.
func decode(data []byte, v any) error { return jsonv2.Unmarshal(data, v) }

// decodeStrictly reads what nobody is trusted to have sent: a member that is not
// known or is there twice is an error, and so is one in other letter case.
func decodeStrictly(data []byte, v any) error {
	if err := jsonv2.Unmarshal(data, v, jsonv2.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("not understood: %w", err)
	}
	return nil
}
