package clean

import (
	"fmt"
	"unicode"
)

// signOf is what stands for r.
func signOf(r rune) string {
	switch {
	case r == '\n':
		return "↵"
	case r == '\t':
		return "→"
	case r < ' ':
		return string('␀' + r)
	case r == 0x7F:
		return "␡"
	case 0xE0021 <= r && r <= 0xE007E:
		return fmt.Sprintf("‹tag %c›", r-0xE0000)
	case 0xFE00 <= r && r <= 0xFE0F:
		return fmt.Sprintf("‹VS%d›", r-0xFE00+1)
	case 0xE0100 <= r && r <= 0xE01EF:
		return fmt.Sprintf("‹VS%d›", r-0xE0100+17)
	}
	if name, ok := names[r]; ok {
		return "‹" + name + "›"
	}
	return fmt.Sprintf("‹U+%04X›", r)
}

var names = map[rune]string{
	0x0085: "NEL", 0x0090: "DCS", 0x0098: "SOS", 0x009B: "CSI", 0x009C: "ST", 0x009D: "OSC", 0x009E: "PM", 0x009F: "APC",
	0x00A0: "nbsp", 0x2007: "figure space", 0x2009: "thin space", 0x200A: "hair space", 0x202F: "narrow nbsp", 0x3000: "wide space",
	0x00AD: "SHY", 0x034F: "CGJ",
	0x061C: "ALM", 0x200E: "LRM", 0x200F: "RLM",
	0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO",
	0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
	0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x2060: "WJ", 0xFEFF: "BOM",
	0x2028: "LS", 0x2029: "PS",
	0x115F: "Hangul filler", 0x1160: "Hangul filler", 0x3164: "Hangul filler", 0xFFA0: "Hangul filler",
	0x2800: "Braille blank", 0xFFFC: "OBJ",
	0xE0020: "tag space", 0xE007F: "tag end",
}

// unseen are the characters that Unicode calls printable and that print
// nothing, or something else than their own: fillers, joiners and selectors that
// can hide text, letters that melt into the next one without a bound, and dashes
// wider than two cells.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x0D4E, Hi: 0x0D4E, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x2D7F, Hi: 0x2D7F, Stride: 1},
		{Lo: 0x2E3A, Hi: 0x2E3B, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1107F, Hi: 0x1107F, Stride: 1},
		{Lo: 0x111C2, Hi: 0x111C3, Stride: 1},
		{Lo: 0x113D1, Hi: 0x113D1, Stride: 1},
		{Lo: 0x1193F, Hi: 0x1193F, Stride: 1},
		{Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11A84, Hi: 0x11A89, Stride: 1},
		{Lo: 0x11D46, Hi: 0x11D46, Stride: 1},
		{Lo: 0x11F02, Hi: 0x11F02, Stride: 1},
		{Lo: 0x13441, Hi: 0x13442, Stride: 1},
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1},
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1},
		{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1},
	},
}
