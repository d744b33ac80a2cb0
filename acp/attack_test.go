package acp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
)

const readFile = acp.MethodReadTextFile

// deep is a request with n nested arrays in its params.
func deep(n int) string {
	return `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"x":` +
		strings.Repeat("[", n) + strings.Repeat("]", n) + `,"path":"/ws/ok"}}`
}

// attacks are lines by which an agent might smuggle a request past whoever
// reads them differently from the editor. Rows that are plain here although
// the request is hostile are so only inside their params, which is for the
// reader of the method to see.
var attacks = []struct {
	name   string
	line   string
	kind   acp.Kind
	reason acp.Reason
	id     string
	method string
	held   bool   // not to be forwarded, whatever its path
	path   string // as the reader of the method gives it
}{
	{"01_baseline", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, 0, `7`, readFile, false, `"/ws/ok"`},
	{"02_dup_method_last_evil", `{"jsonrpc":"2.0","id":7,"method":"session/update","method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.DuplicateMember, `7`, readFile, true, `-`},
	{"04_dup_path", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok","path":"/etc/shadow"}}`, acp.Request, 0, `7`, readFile, true, `"/etc/shadow"`}, // inside params: for the reader of the method
	{"05_dup_params", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"},"params":{"path":"/etc/shadow"}}`, acp.Ambiguous, acp.DuplicateMember, `7`, readFile, true, `-`},
	{"07_dup_params_merge", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/etc/shadow"},"params":{"line":1}}`, acp.Ambiguous, acp.DuplicateMember, `7`, readFile, true, `-`},
	{"08_dup_escaped_key", `{"jsonrpc":"2.0","id":7,"method":"session/update","\u006dethod":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.EscapedMember, `7`, readFile, true, `-`},
	{"10_case_Path_after_path", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/etc/shadow","Path":"/ws/ok"}}`, acp.Request, 0, `7`, readFile, true, `"/etc/shadow"`}, // inside params
	{"11_case_fold_kelvin_longs", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"param\xc5\xbf\":{\"path\":\"/etc/shadow\"}}", acp.Ambiguous, acp.FoldedMember, `7`, readFile, true, `-`},
	{"12_esc_method_u002f", `{"jsonrpc":"2.0","id":7,"method":"fs\u002fread_text_file","params":{"path":"/ws/ok"}}`, acp.Request, 0, `7`, readFile, false, `"/ws/ok"`},
	{"14_esc_key_u006d", `{"jsonrpc":"2.0","id":7,"\u006dethod":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.EscapedMember, `7`, readFile, true, `-`},
	{"15_esc_invalid_x", `{"jsonrpc":"2.0","id":7,"method":"fs\x2fread_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, `7`, `fs\x2fread_text_file`, true, `-`},
	{"17_nul_escape_in_method", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file\u0000","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.MethodCharacters, `7`, "fs/read_text_file\x00", true, `-`},
	{"18_raw_nul_in_string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/o\x00k\"}}", acp.Ambiguous, acp.ControlCharacter, `7`, readFile, true, `-`},
	{"20_raw_cr_in_string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/o\x0dk\"}}", acp.Ambiguous, acp.LineBreak, `7`, readFile, true, `-`},
	{"21_raw_esc1b_in_string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/o\x1bk\"}}", acp.Ambiguous, acp.ControlCharacter, `7`, readFile, true, `-`},
	{"22_bom_utf8", "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/ok\"}}", acp.Ambiguous, acp.BytesBefore, `7`, readFile, true, `-`},
	{"24_u2028_prefix", "\xe2\x80\xa8{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/ok\"}}", acp.Ambiguous, acp.BytesBefore, `7`, readFile, true, `-`},
	{"25_vt_prefix", "\x0b{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/ok\"}}", acp.Ambiguous, acp.BytesBefore, `7`, readFile, true, `-`},
	{"27_utf16be_nobom", "\x00{\x00\"\x00j\x00s\x00o\x00n\x00r\x00p\x00c\x00\"\x00:\x00\"\x002\x00.\x000\x00\"\x00,\x00\"\x00i\x00d\x00\"\x00:\x007\x00,\x00\"\x00m\x00e\x00t\x00h\x00o\x00d\x00\"\x00:\x00\"\x00f\x00s\x00/\x00r\x00e\x00a\x00d\x00_\x00t\x00e\x00x\x00t\x00_\x00f\x00i\x00l\x00e\x00\"\x00,\x00\"\x00p\x00a\x00r\x00a\x00m\x00s\x00\"\x00:\x00{\x00\"\x00p\x00a\x00t\x00h\x00\"\x00:\x00\"\x00/\x00w\x00s\x00/\x00o\x00k\x00\"\x00}\x00}", acp.Ambiguous, acp.OtherEncoding, ``, "", true, `-`},
	{"28_invalid_utf8_in_path", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/\xff\xfe\"}}", acp.Request, acp.InvalidUTF8, `7`, readFile, true, "\"/ws/\xff\xfe\""},
	{"30_overlong_slash", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/..\xc0\xafetc\"}}", acp.Request, acp.InvalidUTF8, `7`, readFile, true, "\"/ws/..\xc0\xafetc\""},
	{"31_surrogate_cesu8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/\xed\xa0\x80\"}}", acp.Request, acp.InvalidUTF8, `7`, readFile, true, "\"/ws/\xed\xa0\x80\""},
	{"32_lone_surrogate_esc", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/\ud800"}}`, acp.Request, acp.LoneSurrogate, `7`, readFile, true, `"/ws/\ud800"`},
	{"34_u2028_in_string", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/a\xe2\x80\xa8b\"}}", acp.Request, 0, `7`, readFile, false, `"/ws/a\u2028b"`},
	{"35_trailing_garbage", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}} x`, acp.Ambiguous, acp.BytesAfter, `7`, readFile, true, `-`},
	{"37_cr_then_second_object", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/ok\"}}\x0d{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"fs/write_text_file\",\"params\":{\"path\":\"/etc/x\"}}", acp.Ambiguous, acp.LineBreak, `7`, readFile, true, `-`},
	{"38_trailing_cr", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/ws/ok\"}}\x0d", acp.Request, 0, `7`, readFile, false, `"/ws/ok"`},
	{"40_trailing_comma", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"},}`, acp.Ambiguous, acp.BrokenJSON, `7`, readFile, true, `-`},
	{"41_comment_block", `{"jsonrpc":"2.0","id":7,/*c*/"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, `7`, readFile, true, `-`},
	{"42_comment_line_hash", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}} # c`, acp.Ambiguous, acp.BytesAfter, `7`, readFile, true, `-`},
	{"44_unquoted_key", `{jsonrpc:"2.0",id:7,method:"fs/read_text_file",params:{path:"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, `7`, readFile, true, `-`},
	{"45_unterminated", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}`, acp.Ambiguous, acp.BrokenJSON, `7`, readFile, true, `-`},
	{"47_batch_one", `[{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}]`, acp.Ambiguous, acp.Batch, `7`, readFile, true, `-`},
	{"48_batch_nested", `[[{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}]]`, acp.Ambiguous, acp.Batch, `7`, readFile, true, `-`},
	{"50_scalar_string", `"fs/read_text_file"`, acp.Text, 0, ``, "", false, `-`},
	{"51_scalar_null", `null`, acp.Text, 0, ``, "", false, `-`},
	{"52_empty_object", `{}`, acp.Ambiguous, acp.NoPurpose, ``, "", false, `-`},
	{"54_method_not_string", `{"jsonrpc":"2.0","id":7,"method":["fs/read_text_file"],"params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.MethodNotString, `7`, "", true, `-`},
	{"55_method_null", `{"jsonrpc":"2.0","id":7,"method":null,"result":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.MethodNotString, `7`, "", false, `-`},
	{"57_params_array", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":["/ws/ok"]}`, acp.Request, 0, `7`, readFile, false, `-`},                            // inside params
	{"58_path_in_proto", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"__proto__":{"path":"/etc/shadow"}}}`, acp.Request, 0, `7`, readFile, false, `-`}, // inside params
	{"60_id_float1_0", `{"jsonrpc":"2.0","id":1.0,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `1.0`, readFile, false, `"/ws/ok"`},
	{"61_id_exp1e0", `{"jsonrpc":"2.0","id":1e0,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `1e0`, readFile, false, `"/ws/ok"`},
	{"62_id_str1", `{"jsonrpc":"2.0","id":"1","method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, 0, `"1"`, readFile, false, `"/ws/ok"`},
	{"64_id_true", `{"jsonrpc":"2.0","id":true,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `true`, readFile, false, `"/ws/ok"`},
	{"65_id_neg0", `{"jsonrpc":"2.0","id":-0,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `-0`, readFile, false, `"/ws/ok"`},
	{"67_id_two63", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `9223372036854775808`, readFile, false, `"/ws/ok"`},
	{"68_id_big400", `{"jsonrpc":"2.0","id":1e400,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `1e400`, readFile, false, `"/ws/ok"`},
	{"70_id_obj", `{"jsonrpc":"2.0","id":{"a":1},"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `{"a":1}`, readFile, false, `"/ws/ok"`},
	{"71_id_arr", `{"jsonrpc":"2.0","id":[1],"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Request, acp.OddID, `[1]`, readFile, false, `"/ws/ok"`},
	{"72_id_leadzero", `{"jsonrpc":"2.0","id":01,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, ``, readFile, true, `-`},
	{"74_id_hex", `{"jsonrpc":"2.0","id":0x1,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, ``, readFile, true, `-`},
	{"75_id_nan", `{"jsonrpc":"2.0","id":NaN,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, ``, readFile, true, `-`},
	{"77_id_dot", `{"jsonrpc":"2.0","id":.5,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, ``, readFile, true, `-`},
	{"78_id_enddot", `{"jsonrpc":"2.0","id":1.,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`, acp.Ambiguous, acp.BrokenJSON, ``, readFile, true, `-`},
	{"80_deep_arr_100", deep(100), acp.Request, 0, `7`, readFile, false, `"/ws/ok"`},
	{"81_deep_arr_999", deep(999), acp.Ambiguous, acp.TooDeep, `7`, readFile, true, `-`},
	{"82_deep_arr_1001", deep(1001), acp.Ambiguous, acp.TooDeep, `7`, readFile, true, `-`},
	{"84_deep_arr_10001", deep(10001), acp.Ambiguous, acp.TooDeep, `7`, readFile, true, `-`},
	{"85_deep_arr_100000", deep(100000), acp.Ambiguous, acp.TooDeep, `7`, readFile, true, `-`},
}

func TestAttackFrames(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				if strings.HasSuffix(a.line, "\r") && eol == "\r\n" {
					continue // another line: see the tests of line endings
				}
				var f acp.Frame
				acp.Scan([]byte(a.line+eol), &f)
				if f.Kind != a.kind || f.Reason != a.reason {
					t.Errorf("got %v (%v), want %v (%v)", f.Kind, f.Reason, a.kind, a.reason)
				}
				if string(f.ID) != a.id || string(f.Method) != a.method {
					t.Errorf("got id %q, method %q, want %q, %q", f.ID, f.Method, a.id, a.method)
				}
				if held, path := judge([]byte(a.line+eol), &f); held != a.held || path != a.path {
					t.Errorf("got held %v, path %s, want %v, %s", held, path, a.held, a.path)
				}
			}
		})
	}
}

// judge says what the two rules of a gate make of a line: one that is ambiguous
// is held when it names a method that is enforced, and one that is not when
// peers could read different things from its params.
func judge(line []byte, f *acp.Frame) (held bool, path string) {
	if f.Kind == acp.Ambiguous {
		return acp.NamesEnforced(line), "-"
	}
	if string(f.Method) != readFile {
		return false, "-"
	}
	params := acp.ReadFile(f.Params)
	return params.Reason != 0, show(params.Path)
}

// TestAttackFramesAreTheCorpus compares the table with the collection of
// hostile frames it was made from, so that neither grows without the other.
func TestAttackFramesAreTheCorpus(t *testing.T) {
	files, err := filepath.Glob(testdata(t, "corpora", "acp-attack-frames", "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no frames found: %v", err)
	}
	lines := map[string]string{}
	for _, a := range attacks {
		lines[a.name] = a.line
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bin")
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want, ok := lines[name]; !ok || string(got) != want {
			t.Errorf("%s: the table has %.80q, the file %.80q", name, want, got)
		}
	}
	if len(files) != len(attacks) {
		t.Errorf("got %d files, want %d", len(files), len(attacks))
	}
}

// TestAttackFramesAreJudged compares what the table says becomes of each line
// with the verdicts that come with the frames, for a workspace /ws.
func TestAttackFramesAreJudged(t *testing.T) {
	table, err := os.ReadFile(testdata(t, "corpora", "acp-attack-frames", "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]string{}
	for row := range strings.Lines(string(table)) {
		if cells := strings.Split(row, "\t"); len(cells) >= 2 {
			verdicts[cells[0]] = cells[1]
		}
	}
	for _, a := range attacks {
		// To refuse these is nobody's part here: they name no method that is
		// enforced, or are odd in nothing but their id.
		harmless := a.kind == acp.Text || a.reason == acp.OddID || !strings.Contains(a.line, "read_text_file") && a.name != "27_utf16be_nobom"
		var fits bool
		switch verdicts[a.name] {
		case "ALLOW":
			fits = !a.held && strings.HasPrefix(a.path, `"/ws/`)
		case "DENY":
			fits = !a.held && a.path == "-"
		case "REJECT":
			fits = a.held || harmless
		}
		if !fits {
			t.Errorf("%s: held %v, path %s, but the verdict is %q", a.name, a.held, a.path, verdicts[a.name])
		}
	}
}

// testdata is a path in the folder of test data that lies outside the tree.
func testdata(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("BOBPROXY_TESTDATA")
	if root == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with corpora and schema; the rules are covered by literal cases too")
	}
	return filepath.Join(append([]string{root}, elem...)...)
}
