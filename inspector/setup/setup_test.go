package setup

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSnippetsHaveThePaths(t *testing.T) {
	const self, bob = `/opt/my "tools"/bobproxy`, "/home/me/bin/bob"
	for _, e := range Editors {
		text := e.Snippet(self, bob)
		if !strings.Contains(text, `/opt/my \"tools\"/bobproxy`) {
			t.Errorf("%s: the path of bobproxy is missing or not quoted:\n%s", e.Name, text)
		}
		if strings.Contains(e.text, "@BOB@") != strings.Contains(text, bob) {
			t.Errorf("%s: the path of bob is missing:\n%s", e.Name, text)
		}
		if without := e.Snippet(self, ""); strings.Contains(without, "BOB_PATH") || strings.Contains(without, "@") {
			t.Errorf("%s: something is left without a bob:\n%s", e.Name, without)
		}
	}
}

func TestSnippetsInJSONAreJSON(t *testing.T) {
	for _, name := range []string{"zed", "jetbrains", "vscode", "acpx"} {
		e, ok := Named(name)
		if !ok {
			t.Fatalf("no editor %s", name)
		}
		for _, bob := range []string{"/bin/bob", ""} {
			text := e.Snippet("/bin/bobproxy", bob)
			if !strings.HasPrefix(text, "{") {
				text = "{" + text + "}"
			}
			if !json.Valid([]byte(text)) {
				t.Errorf("%s with bob %q is not JSON:\n%s", name, bob, text)
			}
		}
	}
}

func TestNamed(t *testing.T) {
	if _, ok := Named("ed"); ok {
		t.Error("there is an editor ed")
	}
}
