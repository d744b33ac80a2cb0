package paint

// scene is a small grid in which everything that can be painted comes once.
func scene() *Grid {
	g := NewGrid(66, 21)
	a := g.All()
	a.Rows(0, 1).Fill(Style{Role: Bar})
	a.Sub(0, 0, 66, 1).Both(0, L(Bar, " bobproxy  2 proxies · 3 sessions"), L(Bar, "FOLLOW ● "))
	a.Rule(1)
	a.Both(2, L(Heading, " SESSIONS"), L(Dim, "newest activity first "))
	a.Both(3, Line{S(Warn, "►! "), S(Plain, "Fix nil token panic")}, L(Plain, "now "))
	a.Select(3)
	a.Both(4, Line{S(Good, " ✓ "), S(Plain, "read src/auth/token.go")}, L(Dim, "12ms "))
	a.Both(5, Line{S(Bad, " × "), S(Strong, "execute "), S(Plain, "go test ./auth")}, L(Danger, "0:05 "))
	a.Both(6, Line{S(Out, " → "), S(Plain, "REQ session/prompt")}, L(In, "← "))
	a.Line(0, 7, Line{S(You, " YOU    "), S(Agent, "BOB    "), {Text: "under", Style: Style{Under: true}}})
	a.Line(0, 8, L(Added, " + return t == nil || t.exp"))
	a.Line(0, 9, Line{S(Removed, " - return "), S(RemovedWord, "t.exp"), S(AddedWord, "t.exp2")})
	a.Line(0, 10, Clean(Plain, " rm\x1b[31m a\u202eb \xff <&\"'>"))
	a.Line(0, 11, Line{S(Plain, " p"), S(Letter, "а"), S(Plain, "yload 漢字 e\u0301 👍 "), S(Plain, "context █████░░░░░")})
	in := a.Sub(1, 12, 64, 6).Box(L(Heading, "PERMISSION"), L(Dim, "1 of 2"), L(Plain, "below"), L(Warn, "locked"))
	in.Line(0, 0, Line{S(Plain, "1  Yes, always  "), S(Tag, " ALLOW ALWAYS ")})
	in.Column(45)
	in.Rule(2)
	in.Put(45, 2, Style{Role: Border}, "┼")
	in.Line(0, 3, Line{S(Plain, "2  Yes, always  "), S(Tag, " ALLOW ALWAYS ")})
	in.Select(3)
	a.Rows(19, 1).Fill(Style{Role: Alert})
	a.Both(19, L(Alert, " ! Edit src/auth/token.go"), L(Alert, "0:52  p to look "))
	a.Line(0, 20, Line{S(Key, " Enter"), S(Plain, " open  "), S(Key, "p"), S(Plain, " pending  "), {Text: "bold", Style: Style{Bold: true}}})
	return g
}
