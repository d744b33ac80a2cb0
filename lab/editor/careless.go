package editor

import (
	"net/url"
	"os"
	"path/filepath"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// A careless editor takes what the agent calls a path for one, as helpfully as
// it can: that is how most clients serve files.

// anywhere gives the file that an agent may have meant.
func (f *files) anywhere(path string) string {
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
		path = filepath.FromSlash(u.Path)
	}
	if !filepath.IsAbs(path) {
		// Not Join, which would go round the links before a "..".
		path = f.dir + string(filepath.Separator) + path
	}
	return path
}

func readAnywhere(path string, p wire.FileParams) (any, *jsonrpc2.Error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	return content(file, p)
}

func writeAnywhere(path string, p wire.FileParams) (any, *jsonrpc2.Error) {
	if err := os.WriteFile(path, []byte(*p.Content), 0o644); err != nil {
		return nil, fileError(p.Path, err)
	}
	return struct{}{}, nil
}
