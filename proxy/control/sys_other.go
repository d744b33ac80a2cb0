//go:build !linux && !darwin

package control

import (
	"errors"
	"io/fs"
	"net"
	"os"
)

// Here nobody says who is at the other end of a connection, so there is none.
const available = false

var errHere = errors.New("not on this system")

const noFollow = 0

func owner(fs.FileInfo) int                     { return -1 }
func lockFile(*os.File) error                   { return errHere }
func refused(error) bool                        { return false }
func busy(error) bool                           { return false }
func peerOf(*net.UnixConn) (credentials, error) { return credentials{}, errHere }
func readStanding(int) (standing, error)        { return standing{}, errHere }
func executable(int) string                     { return "" }
func ttyName(uint64) string                     { return "" }

type credentials struct{ uid, pid int }

func (credentials) close()      {}
func (credentials) alive() bool { return false }

type standing struct {
	parent     int
	tty, start uint64
}
