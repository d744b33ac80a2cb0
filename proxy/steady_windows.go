package proxy

import "os"

// steady is one of our streams.
type steady struct{ *os.File }
