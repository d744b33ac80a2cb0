package replay

import (
	"errors"
	"fmt"
	"time"

	"bobproxy/acp"
)

// Frame is one frame of a recording.
type Frame struct {
	Number uint64 // in the recording, to speak of it
	At     time.Time
	From   acp.Direction
	Line   []byte // without its end
	Blank  bool   // of contents and texts in it only the size is there, see Blanks
}

// MaxSize is how many bytes of frames are played at most.
const MaxSize = 256 << 20

// overhead is about what a frame takes beside its line.
const overhead = 512

var (
	// ErrEmpty says that a recording has nothing to play.
	ErrEmpty = errors.New("nothing was said in this recording")
	// ErrTooLarge says that a recording is larger than MaxSize.
	ErrTooLarge = fmt.Errorf("a recording of more than %d MiB cannot be replayed", MaxSize>>20)
)

// Size is how much of MaxSize a frame takes.
func (f Frame) Size() int { return len(f.Line) + overhead }
