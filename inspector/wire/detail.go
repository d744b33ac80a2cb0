package wire

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Detail is the pane that shows one frame. Use NewDetail.
type Detail struct{ row *model.Row }

// NewDetail is a detail of nothing.
func NewDetail() *Detail { return &Detail{} }

// Place is that of the detail's keys.
func (d *Detail) Place() keys.Place { return keys.Detail }

// Show shows a row; nil: none.
func (d *Detail) Show(r *model.Row) { d.row = r }

func (d *Detail) Draw(paint.Area, pane.Context)                  {}
func (d *Detail) Do(keys.Action, pane.Context) []pane.Wish       { return nil }
func (d *Detail) Hints(pane.Context) []keys.Action               { return nil }
func (d *Detail) Head(pane.Context) pane.Head                    { return pane.Head{} }
func (d *Detail) Find(string, pane.Context) string               { return "" }
func (d *Detail) Click(int, int, bool, pane.Context) []pane.Wish { return nil }
