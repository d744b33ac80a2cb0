package paint

// InEight is the theme for a terminal of 8 colours.
func (t *Theme) InEight() *Theme {
	eight := *t
	for role, look := range t.Looks {
		eight.Looks[role] = look.inEight()
	}
	return &eight
}

// InEight are the looks for a terminal of 8 colours.
func (l Looks) InEight() Looks {
	eight := Looks{}
	for role, look := range l {
		eight[role] = look.inEight()
	}
	return eight
}

// inEight is a look without bright colours, which would become what is nearest
// among the others, in front and behind alike. A bright black behind letters
// would be no more than the screen's own.
func (l Look) inEight() Look {
	if l.BG == BrightBlack {
		return Look{Bold: l.Bold, Under: l.Under, Reverse: true}
	}
	l.BG = l.BG.hue()
	if l.FG >= BrightBlack {
		l.FG, l.Bold = l.FG.hue(), true
	}
	return l
}
