package paint

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// words is the text of a picture, which is read as XML to the end.
func words(t *testing.T, picture []byte) (title, description, text string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	in := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return title, description, text
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local
		case xml.EndElement:
			in = ""
		case xml.CharData:
			switch in {
			case "title":
				title += string(token)
			case "desc":
				description += string(token)
			case "text":
				text += string(token)
			}
		}
	}
}

func TestPictureHoldsAllText(t *testing.T) {
	theme, _ := ThemeNamed("dark")
	g := NewGrid(40, 3)
	g.All().Put(0, 0, Style{}, `</text><script a="b">'&`)
	g.All().Put(0, 1, Style{Role: Bad, Under: true}, "a\x1b\u202e]]> 漢e\u0301")
	g.All().Put(0, 2, Style{Role: Border}, "┌─ x ─┐ █░")
	title, description, text := words(t, SVG(g, theme, "a<b>\x00", "c&d\u202e"))
	if title != "a<b>␀" || description != "c&d‹RLO›" {
		t.Errorf("title %q, description %q", title, description)
	}
	got := strings.NewReplacer(nbsp, "", " ", "").Replace(text)
	if want := strings.NewReplacer("\n", "", " ", "").Replace(Text(g)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPicturesOfHostileText(t *testing.T) {
	theme, _ := ThemeNamed("light")
	for _, text := range texts {
		g := NewGrid(20, 1)
		g.All().Put(0, 0, Style{}, text)
		words(t, SVG(g, theme, text, text))
	}
}

func TestPictureIsTheSameAgain(t *testing.T) {
	for _, theme := range themes {
		if a, b := SVG(scene(), theme, "t", "d"), SVG(scene(), theme, "t", "d"); !bytes.Equal(a, b) {
			t.Errorf("%s: two pictures of one grid differ", theme.Name)
		}
	}
}

func TestPictureOfNothing(t *testing.T) {
	words(t, SVG(NewGrid(0, 0), &dark, "", ""))
	if n := len(SVG(NewGrid(160, 45), &dark, "", "")); n > 1024 {
		t.Errorf("an empty picture has %d bytes", n)
	}
}
