package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// directory is one folder where sockets of this user may be.
type directory struct {
	path  string
	base  string // the folder it is in
	ours  bool   // base has to be this user's own, as a runtime directory is
	named bool   // by the environment
	alone bool   // there is no other
	none  string // why there is no such folder; the other fields are then unset but path, which names it
}

// aloneVariable names the one folder that is used instead of all others, by
// whoever wants proxies that the rest of the machine does not see, and not to see
// the rest.
const aloneVariable = "BOBPROXY_RUNTIME_DIR"

// only is the folder it names, if it is set. Where it could never be used, that is
// told by those who look for proxies, too: they would look in vain.
func only(lookup func(string) (string, bool)) (d directory, set bool) {
	if lookup == nil {
		lookup = os.LookupEnv
	}
	d = fromVariable(lookup, aloneVariable, "", false)
	d.alone, set = true, d.none != notSet
	if d.none != "" {
		return d, set
	}
	d.base = filepath.Dir(d.path)
	if n := len(filepath.Join(d.path, shortestName+socketEnd)); n > longestPath() {
		d.none = tooLong(n)
	}
	return d, set
}

// shortestName is as long as the name of any instance, or shorter.
const shortestName = "0000"

func tooLong(n int) string {
	return fmt.Sprintf("the path of a socket in it would have %d bytes, of which the system takes %d", n, longestPath())
}

// notSet is why there is no folder that a variable would name.
const notSet = "not set"

// system is where the folders are that do not come from the environment.
type system struct{ run, tmp string }

// directories lists the folders in the order in which they are tried.
func directories(lookup func(string) (string, bool), at system) []directory {
	if d, set := only(lookup); set {
		return []directory{d}
	}
	if lookup == nil {
		lookup = os.LookupEnv
	}
	if at == (system{}) {
		at = system{"/run/user", "/tmp"}
	}
	uid := strconv.Itoa(os.Geteuid())
	runtime := filepath.Join(at.run, uid)
	all := []directory{
		fromVariable(lookup, "XDG_RUNTIME_DIR", "bobproxy", true),
		{path: filepath.Join(runtime, "bobproxy"), base: runtime, ours: true},
		fromVariable(lookup, "TMPDIR", "bobproxy-"+uid, false),
		{path: filepath.Join(at.tmp, "bobproxy-"+uid), base: at.tmp},
	}
	var once []directory
	for _, d := range all {
		if !contains(once, d.path) {
			once = append(once, d)
		}
	}
	return once
}

func fromVariable(lookup func(string) (string, bool), name, folder string, ours bool) directory {
	base, set := lookup(name)
	switch {
	case !set || base == "":
		return directory{path: "$" + name, none: notSet}
	case !filepath.IsAbs(base):
		return directory{path: "$" + name, none: strconv.Quote(base) + " is not an absolute path"}
	}
	return directory{path: filepath.Join(base, folder), base: filepath.Clean(base), ours: ours, named: true}
}

func contains(all []directory, path string) bool {
	for _, d := range all {
		if d.path == path {
			return true
		}
	}
	return false
}

// make makes the folder unless it is there, and says why it cannot be used.
func (d directory) make() error {
	if d.none != "" {
		return errors.New(d.none)
	}
	if err := d.checkBase(); err != nil {
		return err
	}
	switch err := os.Mkdir(d.path, 0o700); {
	case err == nil:
		// A strange umask may have taken rights away from us.
		if err := os.Chmod(d.path, 0o700); err != nil {
			return reason(err)
		}
	case !errors.Is(err, fs.ErrExist):
		return reason(err)
	}
	return d.check()
}

// expected says that the folder should have been usable, which it was not for
// that reason: somebody has named it, or it is there.
func (d directory) expected(why error) bool {
	return d.none != notSet && (d.named || !errors.Is(why, fs.ErrNotExist))
}

// check says why the folder cannot be trusted, or that it is not there.
func (d directory) check() error {
	switch err := d.checkBase(); {
	case d.none != "" && d.alone:
		return errors.New(d.none)
	case d.none != "":
		return fs.ErrNotExist
	case err != nil && d.alone:
		return errors.New(err.Error()) // nobody will make it there
	case err != nil:
		return err
	}
	info, err := os.Lstat(d.path)
	if err != nil {
		return reason(err)
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return errors.New("is a link; it has to be a folder")
	case !mode.IsDir():
		return errors.New("is not a folder")
	case owner(info) != os.Geteuid():
		return fmt.Errorf("belongs to user %d", owner(info))
	case mode.Perm()&0o077 != 0 && d.alone:
		return fmt.Errorf("has mode %04o: others have rights to it; it has to be a folder that is yours alone", mode.Perm())
	case mode.Perm()&0o077 != 0:
		return fmt.Errorf("has mode %04o: others have rights to it (chmod 700 it)", mode.Perm())
	}
	return nil
}

// checkBase refuses a folder in which somebody else could put another one in the
// place of ours.
func (d directory) checkBase() error {
	info, err := os.Stat(d.base)
	if err != nil {
		return fmt.Errorf("%s: %w", d.base, reason(err))
	}
	switch mode := info.Mode(); {
	case !mode.IsDir():
		return fmt.Errorf("%s is not a folder", d.base)
	case d.ours && owner(info) != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d", d.base, owner(info))
	case mode.Perm()&0o022 != 0 && mode&fs.ModeSticky == 0:
		return fmt.Errorf("%s has mode %04o: others could replace what is in it", d.base, mode.Perm())
	}
	return nil
}

// reason is an error without the path, which is named already.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
