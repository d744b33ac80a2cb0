package doctor

import (
	"bobproxy/inspector/setup"
	"bobproxy/proxy/control"
)

// View is a machine as the checks see it.
type View struct {
	Version string
	Self    string // path of bobproxy as others should start it
	Passing string // why that path will not stay; empty: it will
	InPath  string // the bobproxy that PATH finds; empty: none

	Bob     Program // that `bobproxy acp` would start
	BobSet  string  // where the setting of its path is from; empty: it is looked for in PATH
	GUIFrom string  // where the PATH of GUIs is known from

	Editors []Editor
	Scripts []Script
	Home    string // shown as ~

	Config   Config
	Settings []Setting
	Guards   []Setting // those that bound what an agent may do and for how long, be they set or not
	State    Storage

	Sockets Sockets
	Running []control.State

	Terminal Terminal
}

// Program is an executable, as a shell and as a GUI would find it.
type Program struct {
	Name        string // as it is looked for
	Path        string // empty: it is not found
	InGUI       bool   // found with the PATH of GUIs as well
	Interpreter string // that its first line looks for in PATH; empty: none
	Runs        bool   // the interpreter is found
	RunsInGUI   bool   // also with the PATH of GUIs
}

// Editor is one that was looked for.
type Editor struct {
	Editor setup.Editor
	Path   string // of its file; empty: there is none that can be read
	Text   []byte
	Exists bool
	Err    string // why it cannot be read

	// Missing lists the commands of its entries, by whole path, that are not there.
	Missing map[string]bool
}

// Script is an editor whose settings are a program, with its files.
type Script struct {
	Program setup.Program
	Files   []ScriptFile
	More    bool // there are others, which were not read
}

// ScriptFile is one of them.
type ScriptFile struct {
	Path string
	Text []byte
	Err  string // why it cannot be read
}

// Config is the config file of bobproxy.
type Config struct {
	Path    string
	Exists  bool
	Problem string   // why nothing would start with it
	Doubts  []string // what is odd in it, or in the environment
}

// Setting is a setting in force. An empty source is that nobody has set it.
type Setting struct{ Name, Value, Source string }

// Storage is where recordings are kept. Sizes are in bytes.
type Storage struct {
	Dir     string
	Exists  bool
	Problem string // why nothing can be written there
	Free    int64  // on its file system; negative: not known
	Used    int64  // by recordings
	Limit   int64  // for them
	Off     bool   // nothing is recorded
}

// Sockets are where running proxies are reached.
type Sockets struct {
	Dirs     []string // that are looked at
	Problems []string // with some of them
	Dead     []string // files of proxies that were killed
	Silent   []string // proxies that do not answer, and why
}

// Terminal is the one we run in.
type Terminal struct {
	Is      bool // there is one
	Term    string
	UTF8    bool
	NoColor bool
	Tmux    map[string]string // options of tmux; nil: we are not in it
}
