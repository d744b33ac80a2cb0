package model

// Keeper says where what is not kept here can be read.
type Keeper uint8

const (
	Nowhere     Keeper = iota // there is no recording
	InRecording               // the proxy's recording has it
	InFile                    // the file that was read has it
)

// Keeper is what has the events of p that are forgotten, and the bodies of
// frames that are not kept.
func (p *Proxy) Keeper() Keeper {
	switch {
	case p == nil:
	case p.Link == Recorded:
		return InFile
	case p.State.Recording != "":
		return InRecording
	}
	return Nowhere
}

// String is the keeper as the subject of a sentence; empty: there is none.
func (k Keeper) String() string {
	return [...]string{"", "the recording", "the file"}[k]
}
