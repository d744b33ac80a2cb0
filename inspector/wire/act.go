package wire

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// Hints are the keys that are most useful now.
func (w *Wire) Hints(pane.Context) []keys.Action {
	w.sync()
	if len(w.index.lines) == 0 {
		return []keys.Action{keys.Find}
	}
	hints := []keys.Action{keys.Open, keys.Pair, keys.OnlyThis, keys.NotThis, keys.Find, keys.CopyAll, keys.Save}
	if !w.cursor.follow && !w.over() {
		hints = append(hints[:1:1], append([]keys.Action{keys.Follow}, hints[1:]...)...)
	}
	return hints
}

// over says that nothing more comes.
func (w *Wire) over() bool { return w.proxy.Link == model.Gone || w.proxy.Link == model.Recorded }

// Do moves, or does something with what is selected.
func (w *Wire) Do(action keys.Action, c pane.Context) []pane.Wish {
	w.sync()
	switch action {
	case keys.Down:
		w.move(1)
	case keys.Up:
		w.move(-1)
	case keys.PageDown:
		w.move(max(w.height-1, 1))
	case keys.PageUp:
		w.move(-max(w.height-1, 1))
	case keys.HalfDown:
		w.move(max(w.height/2, 1))
	case keys.HalfUp:
		w.move(-max(w.height/2, 1))
	case keys.Top:
		w.pause()
		w.move(-len(w.index.lines))
	case keys.Bottom:
		w.resume()
	case keys.Follow:
		if w.cursor.follow {
			w.pause()
		} else {
			w.resume()
		}
	case keys.Columns:
		w.columns = (w.columns + 1) % sets
		return say(setNames[w.columns])
	case keys.NextMark:
		return w.nextMark()
	default:
		if len(w.index.lines) > 0 {
			return w.use(action, c)
		}
		return nothing(action)
	}
	return nil
}

// nothing is what there is to say where no line is.
func nothing(action keys.Action) []pane.Wish {
	switch action {
	case keys.Copy, keys.CopyAll, keys.Save:
		return say("no frame is shown")
	}
	return nil
}

// use does something with the line of the cursor.
func (w *Wire) use(action keys.Action, c pane.Context) []pane.Wish {
	switch action {
	case keys.Open:
		return w.open()
	case keys.Raw:
		w.pause()
		return []pane.Wish{pane.Detail{Row: w.Selected(), Raw: true}}
	case keys.Unfold:
		if w.index.lines[w.cursor.at].form == folded {
			w.toggle()
		}
	case keys.Fold:
		if form := w.index.lines[w.cursor.at].form; form == heading || form == member {
			w.toggle()
		}
	case keys.Pair:
		return w.pair()
	case keys.Mark:
		w.mark()
	case keys.OnlyThis, keys.NotThis:
		return narrow(w.Selected(), action == keys.NotThis)
	case keys.Copy:
		return []pane.Wish{pane.Copied{What: "the line", Text: w.text(c)}}
	case keys.CopyAll:
		return w.copyFrames()
	case keys.Save:
		return []pane.Wish{pane.Saved{Name: w.proxy.Instance + "-wire.jsonl", Data: record(w.index.shown)}}
	}
	return nil
}

func say(text string) []pane.Wish { return []pane.Wish{pane.Say{Text: text}} }

// open shows a frame in detail, or folds or unfolds a run.
func (w *Wire) open() []pane.Wish {
	w.pause()
	switch w.index.lines[w.cursor.at].form {
	case folded, heading:
		w.toggle()
		return nil
	}
	return []pane.Wish{pane.Detail{Row: w.Selected()}}
}

// toggle folds or unfolds the run at the cursor, which goes to its first line.
func (w *Wire) toggle() {
	w.pause()
	above := w.cursor.at - w.top
	first := w.index.head(w.cursor.at)
	if w.index.toggle(w.cursor.at) {
		above -= w.cursor.at - first
		w.at(first)
		w.top = w.cursor.at - max(above, 0)
	}
}

// Click selects the line at y; twice opens it.
func (w *Wire) Click(_, y int, double bool, _ pane.Context) []pane.Wish {
	w.sync()
	i := w.top + y - w.above
	if y < w.above || i < 0 || i >= len(w.index.lines) {
		return nil
	}
	w.pause()
	w.at(i)
	if double {
		return w.open()
	}
	return nil
}
