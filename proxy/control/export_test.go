package control

// In puts the folders that do not come from the environment below dir.
func (o *Options) In(dir string) { o.system = system{dir + "/run", dir + "/tmp"} }

// FindIn is Find with the same folders.
func FindIn(lookup func(string) (string, bool), dir string) ([]Endpoint, []Problem) {
	return find(directories(lookup, system{dir + "/run", dir + "/tmp"}))
}

const (
	MaxMessage     = maxMessage
	MaxConnections = maxConnections
	MaxBelow       = maxBelow
	NewestEvents   = newestEvents
)
