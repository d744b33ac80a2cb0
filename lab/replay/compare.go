package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"bobproxy/acp"
)

// difference is how something live differs from what was recorded.
type difference struct {
	counts         bool // as a divergence; else only where texts count
	expected, came string
	why            string
}

// callDifferences compares what a client asks or tells with what it did in the
// recording, whose values were mapped to live names.
func callDifferences(method string, recorded, live []byte) (found []difference) {
	word := func(name, why string) {
		if was, is := said(recorded, name), said(live, name); !alike(was, is) {
			found = append(found, difference{true, name + " " + show(was), show(is), why})
		}
	}
	switch method {
	case acp.MethodInitialize:
		return helloDifferences(recorded, live)
	case acp.MethodSessionSetMode:
		word("modeId", "")
	case acp.MethodSessionSetModel:
		word("modelId", "")
	case acp.MethodAuthenticate, acp.MethodAuthLogin:
		word("methodId", "")
	case acp.MethodSessionSetConfigOption:
		word("configId", "")
		if was, is := member(recorded, "value"), member(live, "value"); !sameJSON(was, is) {
			found = append(found, difference{true, "value " + short(string(was)), short(string(is)), ""})
		}
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		if was, is := count(member(recorded, "mcpServers")), count(member(live, "mcpServers")); was != is {
			found = append(found, difference{false, howMany(was, "MCP server"), fmt.Sprint(is), ""})
		}
	case acp.MethodSessionPrompt:
		if was, is := member(recorded, "prompt"), member(live, "prompt"); !sameJSON(was, is) {
			found = append(found, difference{false, "the prompt " + promptWords(was), promptWords(is), ""})
		}
	default:
		if !sameJSON(recorded, live) {
			found = append(found, difference{false, short(string(recorded)), short(string(live)), ""})
		}
	}
	return found
}

// helloDifferences are the version and the capabilities that are missing now.
func helloDifferences(recorded, live []byte) (found []difference) {
	was, is := acp.ReadHello(recorded).Version, acp.ReadHello(live).Version
	if was != is {
		found = append(found, difference{true, fmt.Sprintf("protocol version %d", was), fmt.Sprint(is), ""})
	}
	for _, name := range []string{"clientCapabilities", "agentCapabilities", "capabilities"} {
		now := offers(member(live, name))
		for _, c := range offers(member(recorded, name)) {
			if !slices.Contains(now, c) {
				found = append(found, difference{true, "the capability " + short(c), "none", "the recorded side may use it all the same"})
			}
		}
	}
	return found
}

// maxCapabilities bounds how many capabilities are compared.
const maxCapabilities = 256

// offers lists the capabilities in a value by their paths, such as
// fs.readTextFile. Absent, null and false are no, all else is yes.
func offers(value []byte) (list []string) {
	var walk func(prefix string, v []byte, depth int)
	walk = func(prefix string, v []byte, depth int) {
		for name, value := range acp.Members(v) {
			switch path := prefix + string(name); {
			case string(name) == "_meta", string(value) == "null", string(value) == "false", len(list) == maxCapabilities:
			default:
				list = append(list, path)
				if depth > 0 {
					walk(path+".", value, depth-1)
				}
			}
		}
	}
	walk("", value, 4)
	return list
}

func count(array []byte) (n int) {
	for range acp.Elements(array) {
		n++
	}
	return n
}

// promptWords is the beginning of a prompt.
func promptWords(blocks []byte) string {
	for b := range acp.Elements(blocks) {
		if t := said(b, "text"); t != "" {
			return show(t)
		}
	}
	return "of " + howMany(count(blocks), "block")
}

// answerDifferences compares an answer with the recorded one, mapped to live
// names. asked are the params that were recorded of the request.
func answerDifferences(method string, asked []byte, recorded, live *acp.Frame) []difference {
	if recorded.Kind != live.Kind {
		return []difference{{true, outcomeWords(method, asked, recorded), outcomeWords(method, asked, live), likely(method)}}
	}
	if recorded.Kind == acp.Error {
		if acp.ErrorCode(recorded.Error) == acp.ErrorCode(live.Error) {
			return nil
		}
		return []difference{{true, outcomeWords(method, asked, recorded), outcomeWords(method, asked, live), ""}}
	}
	was, is := recorded.Result, live.Result
	counts := false
	switch method {
	case acp.MethodRequestPermission:
		a, b := acp.ReadOutcome(was), acp.ReadOutcome(is)
		if a.Kind == b.Kind && alike(a.Option, b.Option) {
			return nil
		}
		counts = true
	case acp.MethodElicitationCreate:
		counts = said(was, "action") != said(is, "action")
	case acp.MethodTerminalWaitForExit:
		counts = !sameJSON(member(was, "exitCode"), member(is, "exitCode")) || !sameJSON(member(was, "signal"), member(is, "signal"))
	case acp.MethodTerminalCreate:
		return nil // an id
	}
	if !counts && sameJSON(was, is) {
		return nil
	}
	return []difference{{counts, outcomeWords(method, asked, recorded), outcomeWords(method, asked, live), likely(method)}}
}

// likely is why an answer may be another one; empty when it can be anything.
func likely(method string) string {
	switch method {
	case acp.MethodReadTextFile, acp.MethodWriteTextFile:
		return "the workspace may hold other files than then"
	case acp.MethodTerminalCreate, acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit:
		return "the command found another workspace, or is another one"
	case acp.MethodRequestPermission, acp.MethodElicitationCreate:
		return "whoever was asked decided otherwise"
	}
	return ""
}

// outcomeWords is what an answer says, in a few words.
func outcomeWords(method string, asked []byte, f *acp.Frame) string {
	if f.Kind == acp.Error {
		return fmt.Sprintf("the error %d %s", acp.ErrorCode(f.Error), show(said(f.Error, "message")))
	}
	switch method {
	case acp.MethodRequestPermission:
		return choiceWords(acp.ReadPermission(asked).Options, acp.ReadOutcome(f.Result))
	case acp.MethodReadTextFile:
		return size(said(f.Result, "content")) + " of text"
	case acp.MethodTerminalOutput:
		return size(said(f.Result, "output")) + " of output"
	}
	return short(string(f.Result))
}

// size is how long a text is, as far as that is known.
func size(s string) string {
	if maskedIn(s) {
		return "any number of bytes"
	}
	return howMany(len(s), "byte")
}

// choiceWords is the option that was chosen, or what else came of a permission.
func choiceWords(options []acp.Option, o acp.Outcome) string {
	if o.Kind != "selected" {
		return short(o.Kind)
	}
	for _, option := range options {
		if option.ID.Value == o.Option {
			return show(option.Name) + " (" + short(option.Kind) + ")"
		}
	}
	return "the option " + show(o.Option) + ", which was not offered"
}

// sameJSON says whether two values are the same as far as the recording knows.
// Of ids of terminals and sessions it takes what they were mapped to.
func sameJSON(recorded, live []byte) bool {
	var was, is any
	recorded, live = orNull(recorded), orNull(live)
	if json.Unmarshal(recorded, &was) != nil || json.Unmarshal(live, &is) != nil {
		return string(recorded) == string(live)
	}
	return sameValue(was, is)
}

// orNull takes absent for null, as peers do.
func orNull(v []byte) []byte {
	if len(v) == 0 {
		return []byte("null")
	}
	return v
}

func sameValue(recorded, live any) bool {
	switch was := recorded.(type) {
	case string:
		is, ok := live.(string)
		return was == Masked || removed().FindString(was) == was && was != "" || ok && alike(was, is)
	case []any:
		is, ok := live.([]any)
		return ok && slices.EqualFunc(was, is, sameValue)
	case map[string]any:
		is, ok := live.(map[string]any)
		return ok && sameMembers(was, is)
	}
	return recorded == live
}

// sameMembers takes null for absent as well.
func sameMembers(recorded, live map[string]any) bool {
	for name, was := range recorded {
		if !sameValue(was, live[name]) {
			return false
		}
	}
	for name, is := range live {
		if _, there := recorded[name]; !there && is != nil {
			return false
		}
	}
	return true
}
