package paint

// Color is one of the 16 colours of a terminal, or its default.
type Color uint8

const (
	Default Color = iota
	Black         // the first of the 16: a colour's number is that of the constant less one
	Red
	Green
	Yellow
	Blue
	Magenta
	Cyan
	White
	BrightBlack
	BrightRed
	BrightGreen
	BrightYellow
	BrightBlue
	BrightMagenta
	BrightCyan
	BrightWhite
)

// ANSI is the number of a colour, 0 to 15, and -1 for the default.
func (c Color) ANSI() int { return int(c) - 1 }

// Look is what a style looks like.
type Look struct {
	FG, BG                    Color
	Bold, Dim, Under, Reverse bool
}

// Theme says what roles look like.
type Theme struct {
	Name  string
	Light bool // made for a light background
	Looks [Roles]Look
}

// ThemeNamed is the theme called dark, light or mono. The caller must not change
// it.
func ThemeNamed(name string) (*Theme, bool) {
	for _, t := range themes {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Look is what a style looks like in the theme. Whatever is selected is in the
// default colour in reverse, so that a selected row is one bar; what is in
// reverse or filled anyhow stands out of it by being in neither.
func (t *Theme) Look(s Style) Look {
	l := t.Looks[Plain]
	if s.Role < Roles {
		l = t.Looks[s.Role]
	}
	l.Bold = l.Bold || s.Bold
	l.Under = l.Under || s.Under
	if !s.Selected {
		return l
	}
	filled := l.Reverse || l.BG != Default
	return Look{Bold: l.Bold, Under: l.Under, Reverse: !filled}
}

var themes = []*Theme{&dark, &light, &mono}

var dark = Theme{Name: "dark", Looks: [Roles]Look{
	Dim:         {Dim: true},
	Strong:      {Bold: true},
	Heading:     {Bold: true},
	Good:        {FG: Green},
	Bad:         {FG: Red},
	Warn:        {FG: Yellow},
	Danger:      {FG: Red, Bold: true},
	Key:         {Bold: true},
	You:         {FG: Cyan},
	Added:       {FG: Green},
	Removed:     {FG: Red},
	AddedWord:   {FG: Green, Bold: true, Under: true},
	RemovedWord: {FG: Red, Bold: true, Under: true},
	Odd:         {Reverse: true},
	Letter:      {FG: Yellow, Bold: true, Under: true},
	Tag:         {FG: Black, BG: Yellow, Bold: true},
	Alert:       {FG: Black, BG: Yellow},
	Bar:         {FG: BrightWhite, BG: BrightBlack},
	Border:      {Dim: true},
	Out:         {FG: Cyan},
	In:          {FG: Magenta},
}}

// light has no yellow letters: hardly a terminal has one that is readable on
// white.
var light = Theme{Name: "light", Light: true, Looks: [Roles]Look{
	Dim:         {Dim: true},
	Strong:      {Bold: true},
	Heading:     {Bold: true},
	Good:        {FG: Green},
	Bad:         {FG: Red},
	Warn:        {FG: Magenta},
	Danger:      {FG: Red, Bold: true},
	Key:         {Bold: true},
	You:         {FG: Cyan},
	Added:       {FG: Green},
	Removed:     {FG: Red},
	AddedWord:   {FG: Green, Bold: true, Under: true},
	RemovedWord: {FG: Red, Bold: true, Under: true},
	Odd:         {Reverse: true},
	Letter:      {FG: Magenta, Bold: true, Under: true},
	Tag:         {FG: Black, BG: Yellow, Bold: true},
	Alert:       {FG: Black, BG: Yellow},
	Bar:         {FG: Black, BG: White},
	Border:      {Dim: true},
	Out:         {FG: Cyan},
}}

// mono has no colour at all, not even black.
var mono = Theme{Name: "mono", Looks: [Roles]Look{
	Dim:         {Dim: true},
	Strong:      {Bold: true},
	Heading:     {Bold: true},
	Bad:         {Bold: true},
	Warn:        {Bold: true},
	Danger:      {Bold: true, Under: true},
	Key:         {Bold: true},
	You:         {Bold: true},
	Added:       {Bold: true},
	Removed:     {Dim: true},
	AddedWord:   {Bold: true, Under: true},
	RemovedWord: {Dim: true, Under: true},
	Odd:         {Reverse: true},
	Letter:      {Bold: true, Under: true},
	Tag:         {Bold: true, Reverse: true},
	Alert:       {Bold: true, Reverse: true},
	Bar:         {Reverse: true},
	Border:      {Dim: true},
}}
