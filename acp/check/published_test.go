package check

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "rewrite the tables and goldens from what was published and found")

// TestShapesAreThePublishedOnes writes the tables anew from the published
// schemas, method by method, member by member, and compares.
func TestShapesAreThePublishedOnes(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with the published schemas, which only their publishers may change")
	}
	for _, version := range []string{"v1", "v2"} {
		t.Run(version, func(t *testing.T) {
			stable := loadSchema(t, filepath.Join(dir, "schema", version, "schema.json"))
			draft := loadSchema(t, filepath.Join(dir, "schema", version, "schema.unstable.json"))
			want := head[version] + table(t, stable, draft)
			file := version + ".txt"
			if *rewrite {
				if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, string(got), want)
		})
	}
}

// compare names the lines that differ.
func compare(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, line := range w {
		if !slices.Contains(g, line) {
			t.Errorf("published, and not in the table:\n%s", line)
		}
	}
	for _, line := range g {
		if !slices.Contains(w, line) {
			t.Errorf("in the table, and not published:\n%s", line)
		}
	}
	if !t.Failed() {
		t.Error("the table has the published lines in another order")
	}
}

var head = map[string]string{
	"v1": "# The shapes of version 1 of the protocol; shape.go says how to read them.\n\n",
	"v2": "# The shapes of the draft of version 2; shape.go says how to read them.\n\n",
}

// object is a JSON object that remembers the order of its members.
type object struct {
	names []string
	value map[string]any
}

func (o *object) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	o.value = map[string]any{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if o.value[name.(string)], err = decode(raw); err != nil {
			return err
		}
		o.names = append(o.names, name.(string))
	}
	return nil
}

func decode(raw json.RawMessage) (any, error) {
	switch raw[0] {
	case '{':
		o := &object{}
		return o, json.Unmarshal(raw, o)
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, err
		}
		list := make([]any, 0, len(items))
		for _, item := range items {
			v, err := decode(item)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func (o *object) has(name string) bool { return o != nil && slices.Contains(o.names, name) }

func (o *object) sub(name string) *object {
	s, _ := o.value[name].(*object)
	return s
}

func (o *object) text(name string) string {
	s, _ := o.value[name].(string)
	return s
}

func (o *object) list(name string) (list []*object) {
	for _, v := range o.array(name) {
		list = append(list, v.(*object))
	}
	return list
}

func (o *object) array(name string) []any {
	a, _ := o.value[name].([]any)
	return a
}

func loadSchema(t *testing.T, file string) *object {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("BOBPROXY_TESTDATA is set and has no published schema: %v", err)
	}
	doc, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.(*object).sub("$defs")
}

// table is what the schemas say, a line for each method and each type. What
// only the draft has is marked.
func table(t *testing.T, stable, draft *object) string {
	var methods, types []string
	for _, name := range draft.names {
		def := draft.sub(name)
		if def.has("x-docs-ignore") || def.text("x-side") == "proxy" {
			continue
		}
		mark := "*"
		if stable.has(name) {
			mark = ""
		}
		if m := methodLine(name, def, draft); m != "" {
			methods = append(methods, "method "+mark+m)
		}
		tokens := declaration(t, name, def)
		if mark == "" {
			tokens = marked(t, name, declaration(t, name, stable.sub(name)), tokens)
		}
		types = append(types, wrapped("type "+mark+name+" "+strings.Join(tokens, " ")))
	}
	slices.Sort(methods)
	return strings.Join(methods, "\n") + "\n\n" + strings.Join(types, "\n") + "\n"
}

// marked marks the tokens that are new in the draft.
func marked(t *testing.T, name string, stable, draft []string) []string {
	for _, token := range stable {
		if !slices.Contains(draft, token) {
			t.Errorf("%s: the draft changes %s", name, token)
		}
	}
	var out []string
	for _, token := range draft {
		if !slices.Contains(stable, token) {
			token = "*" + token
		}
		out = append(out, token)
	}
	return out
}

// methodLine is the line of the method whose params are in def.
func methodLine(name string, def, all *object) string {
	m := def.text("x-method")
	from := map[string]string{"agent": "client", "client": "agent", "protocol": "both"}[def.text("x-side")]
	switch {
	case m == "" || from == "":
		return ""
	case strings.HasSuffix(name, "Notification"):
		return fmt.Sprintf("%s %s notification %s", m, from, name)
	case !strings.HasSuffix(name, "Request"):
		return ""
	}
	for _, other := range all.names {
		o := all.sub(other)
		if o.text("x-method") == m && o.text("x-side") == def.text("x-side") && strings.HasSuffix(other, "Response") {
			return fmt.Sprintf("%s %s request %s %s", m, from, name, other)
		}
	}
	return fmt.Sprintf("%s %s request %s any", m, from, name)
}

// wrapped breaks a long line; what goes on is indented.
func wrapped(line string) string {
	const width = 132
	var b strings.Builder
	room := width
	for i, word := range strings.Fields(line) {
		switch {
		case i == 0:
		case len(word)+1 > room:
			b.WriteString("\n    ")
			room = width - 4
		default:
			b.WriteByte(' ')
			room--
		}
		b.WriteString(word)
		room -= len(word)
	}
	return b.String()
}

var understood = []string{
	"$ref", "additionalProperties", "allOf", "anyOf", "const", "contentEncoding", "default", "description", "discriminator", "examples", "format", "items",
	"maximum", "minItems", "minLength", "minimum", "not", "oneOf", "properties", "required", "title", "type", "unevaluatedProperties",
	"x-deserialize-default-on-error", "x-deserialize-default-on-null", "x-deserialize-skip-invalid-items", "x-docs-ignore", "x-method", "x-side",
}

// declaration is what stands behind the name of a type.
func declaration(t *testing.T, name string, def *object) []string {
	for _, key := range def.names {
		if !slices.Contains(understood, key) {
			t.Errorf("%s: a schema says %s, which this test does not read", name, key)
		}
	}
	union := slices.Concat(def.list("anyOf"), def.list("oneOf"))
	switch {
	case def.has("properties") || len(union) > 0 && def.text("type") == "object":
		return append(members(def), tail(def, union)...)
	case len(union) > 0:
		return tail(def, union)
	case len(def.names) == 0 || def.text("type") == "" && !def.has("allOf"):
		return []string{"is", "any"}
	case def.text("type") == "object":
		return nil
	}
	return []string{"is", expression(def)}
}

// members are the members of an object, the required ones first.
func members(def *object) (tokens []string) {
	props := def.sub("properties")
	if props == nil {
		return nil
	}
	var optional []string
	for _, name := range props.names {
		p := props.sub(name)
		if name == "_meta" {
			continue
		}
		token := name
		required := slices.Contains(def.array("required"), any(name))
		if !required {
			token += "?"
		}
		if p.has("x-deserialize-default-on-error") {
			token += "~"
		}
		if token += ":" + expression(p); required {
			tokens = append(tokens, token)
		} else {
			optional = append(optional, token)
		}
	}
	return append(tokens, optional...)
}

// tail is the union that an object or a type is.
func tail(def *object, union []*object) []string {
	if len(union) == 0 {
		return nil
	}
	if values, ok := constants(union); ok {
		return append([]string{"enum"}, values...)
	}
	by := ""
	for _, v := range union {
		if name, _ := discriminator(v); name != "" {
			by = name
		}
	}
	if by == "" {
		tokens := []string{"any-of"}
		for _, v := range union {
			if !v.has("not") {
				tokens = append(tokens, expression(v))
			} else {
				tokens = append(tokens, "any")
			}
		}
		return tokens
	}
	tokens := []string{"by", by}
	for _, v := range union {
		tokens = append(tokens, variantToken(v, by))
	}
	return tokens
}

// constants are the words of an enum; of an open one … stands last.
func constants(union []*object) (values []string, ok bool) {
	for _, v := range union {
		switch {
		case v.has("const"):
			values = append(values, fmt.Sprint(v.value["const"]))
		case len(values) > 0 && (v.text("type") == "string" || v.text("type") == "integer"):
			values = append(values, "…")
		default:
			return nil, false
		}
	}
	return values, true
}

func discriminator(v *object) (name, value string) {
	props := v.sub("properties")
	if props == nil {
		return "", ""
	}
	for _, name := range props.names {
		if p := props.sub(name); p.has("const") {
			return name, p.text("const")
		}
	}
	return "", ""
}

// variantToken is one of a union: word>Type, or what a word that is none of them has.
func variantToken(v *object, by string) string {
	_, word := discriminator(v)
	switch {
	case word != "":
	case v.has("not") || v.text("title") == "other":
		word = "…"
	default:
		word = "else"
	}
	var inside []string
	for _, token := range members(v) {
		if !strings.HasPrefix(token, by+":") && !strings.HasPrefix(token, by+"?") {
			inside = append(inside, token)
		}
	}
	switch {
	case len(v.list("allOf")) > 0:
		return word + ">" + expression(v)
	case len(inside) > 0:
		return word + ">(" + strings.Join(inside, ",") + ")"
	}
	return word
}

// expression is the type of a value.
func expression(p *object) string {
	e := plain(p)
	if p.has("x-deserialize-skip-invalid-items") {
		e += "~"
	}
	if p.has("x-deserialize-default-on-null") {
		e += "^"
	}
	return e
}

func plain(p *object) string {
	switch {
	case p.has("$ref"):
		return p.text("$ref")[len("#/$defs/"):]
	case p.has("allOf"):
		return plain(p.list("allOf")[0])
	case p.has("anyOf"):
		var parts []string
		for _, part := range p.list("anyOf") {
			parts = append(parts, plain(part))
		}
		return strings.Join(parts, "|")
	}
	switch kind := p.value["type"].(type) {
	case []any:
		var parts []string
		for _, k := range kind {
			parts = append(parts, basic(p, k.(string)))
		}
		return strings.Join(parts, "|")
	case string:
		return basic(p, kind)
	}
	return "any"
}

func basic(p *object, kind string) string {
	switch kind {
	case "array":
		e := "[" + expression(p.sub("items")) + "]"
		if p.has("minItems") {
			e += "+"
		}
		return e
	case "object":
		if values := p.sub("additionalProperties"); values != nil {
			return "{" + expression(values) + "}"
		}
		return "object"
	case "integer":
		if format := p.text("format"); format != "" {
			return format
		}
		return "int"
	case "boolean":
		return "bool"
	case "string":
		switch {
		case p.has("contentEncoding"):
			return p.text("contentEncoding")
		case p.has("minLength"):
			return "string+"
		}
	}
	return kind
}
