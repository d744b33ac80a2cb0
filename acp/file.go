package acp

// File is what fs/read_text_file and fs/write_text_file name
// (agentclientprotocol.com/protocol/file-system).
type File struct {
	Session, Path String
	Reason        Reason // why peers could read different things from it; zero when they cannot
}

var fileNames = []string{"sessionId", "path"}

// ReadFile reads the params of fs/read_text_file and fs/write_text_file.
func ReadFile(params []byte) (f File) {
	w := walker{strict: true}
	f.Reason = w.walk(params, fileNames, func(name string, i int) (int, bool) {
		if name == "path" {
			return w.str(i, &f.Path)
		}
		return w.str(i, &f.Session)
	})
	return f
}
