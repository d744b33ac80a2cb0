//go:build !unix

package feed

import (
	"errors"
	"os"
)

// openOwn opens nothing: there are no proxies to follow here.
func openOwn(string) (*os.File, error) { return nil, errors.ErrUnsupported }
