package wire

import (
	"fmt"
	"strconv"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

// missing says what of a frame is not kept here, and where it is; empty: nothing
// is missing.
func missing(r *model.Row) string {
	keeper := r.Proxy.Keeper()
	switch {
	case r.Type != journal.FrameEvent:
	case r.Body == nil && (keeper == model.Nowhere || keeper == model.InFile && r.Unread):
		return "Only the size of this frame is known. What it said was not kept."
	case r.Body == nil:
		return fmt.Sprintf("What this frame said is not kept here; %s has it.", keeper)
	case r.Cut && keeper == model.Nowhere:
		return fmt.Sprintf("… only the first %s were kept.", size(int64(len(r.Body))))
	case r.Cut:
		return fmt.Sprintf("… only the first %s are kept here; %s has the rest.", size(int64(len(r.Body))), keeper)
	}
	return ""
}

// older says how many events lie before the first one that is kept, and where
// they are, in as many words as fit into width.
func older(p *model.Proxy, width int) string {
	what, it, are := count(int(p.Dropped), "older event"), "them", "are"
	if p.Dropped == 1 {
		it, are = "it", "is"
	}
	texts := []string{"… " + what + " " + are + " no longer kept", "… " + what}
	if keeper := p.Keeper(); keeper != model.Nowhere {
		texts = []string{"… " + what + " " + are + " not kept here; " + keeper.String() + " has " + it, "… " + what + ", in " + keeper.String(), "… " + what}
	}
	for _, text := range texts {
		if paint.Width(text) <= width {
			return text
		}
	}
	return "… " + strconv.FormatUint(p.Dropped, 10) + " older"
}
