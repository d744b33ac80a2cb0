package control

import "time"

// In puts the folders that do not come from the environment below dir.
func (o *Options) In(dir string) { o.system = system{dir + "/run", dir + "/tmp"} }

// FindIn is Find with the same folders.
func FindIn(lookup func(string) (string, bool), dir string) ([]Endpoint, []Problem) {
	return find(directories(lookup, system{dir + "/run", dir + "/tmp"}))
}

// DeadIn is Dead with these instead of the folders of the system.
func DeadIn(lookup func(string) (string, bool), dir string) []string {
	return dead(directories(lookup, system{dir + "/run", dir + "/tmp"}), time.Now())
}

// Hello sets how long a client may take to say hello.
func (o *Options) Hello(d time.Duration) { o.hello = d }

// End sets how long Close gives to what is on its way.
func (o *Options) End(d time.Duration) { o.end = d }

const (
	MaxMessage     = maxMessage
	MaxConnections = maxConnections
	MaxBelow       = maxBelow
	NewestEvents   = newestEvents
)
