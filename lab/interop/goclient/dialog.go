package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"

	"github.com/coder/acp-go-sdk"
)

// RequestPermission does what INTEROP_DIALOG says: allow (the default) or deny
// at once, or leave the dialog open and, once it is withdrawn,
//
//	error   answer that the request was cancelled
//	late    answer with an allow nevertheless
//	never   do nothing
func (c *client) RequestPermission(ctx context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	way := os.Getenv("INTEROP_DIALOG")
	switch way {
	case "deny":
		return selected(r, acp.PermissionOptionKindRejectOnce), nil
	case "never":
		<-c.conn.Done()
		return acp.RequestPermissionResponse{}, ctx.Err()
	case "error", "late":
		c.owed.Add(1)
		<-ctx.Done()
	}
	if way == "error" {
		return acp.RequestPermissionResponse{}, ctx.Err()
	}
	return selected(r, acp.PermissionOptionKindAllowOnce), nil
}

func selected(r acp.RequestPermissionRequest, kind acp.PermissionOptionKind) acp.RequestPermissionResponse {
	for _, o := range r.Options {
		if o.Kind == kind {
			return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(o.OptionId)}
		}
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}
}

// counted knows when a reply that was owed has been written; the SDK writes a
// frame at a time.
type counted struct {
	io.Writer
	owed *sync.WaitGroup
}

func (w *counted) Write(frame []byte) (int, error) {
	n, err := w.Writer.Write(frame)
	switch os.Getenv("INTEROP_DIALOG") {
	case "error", "late":
		if bytes.Contains(frame, []byte(`"outcome"`)) || bytes.Contains(frame, []byte(`-32800`)) {
			w.owed.Done()
		}
	}
	return n, err
}
