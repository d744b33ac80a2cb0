package clean

import "unicode"

func isSkin(r rune) bool { return 0x1F3FB <= r && r <= 0x1F3FF }

func isKey(r rune) bool { return '0' <= r && r <= '9' || r == '#' || r == '*' }

const (
	emojiSelector = 0xFE0F
	keycap        = "\u20E3" // makes a key of a digit
)

// Hangul letters are of three kinds: those that begin a syllable, its vowels and
// those that end it. They, and whole syllables, are drawn in one with the letters
// that may follow them.
func isLeading(r rune) bool  { return 0x1100 <= r && r < 0x1160 || 0xA960 <= r && r < 0xA97D }
func isVowel(r rune) bool    { return 0x1160 < r && r < 0x11A8 || 0xD7B0 <= r && r < 0xD7C7 }
func isTrailing(r rune) bool { return 0x11A8 <= r && r < 0x1200 || 0xD7CB <= r && r < 0xD7FC }

func isHangul(r rune) bool { return isLeading(r) || isVowel(r) || isTrailing(r) }

func joinsHangul(last, r rune) bool {
	syllable := 0xAC00 <= last && last < 0xD7A4
	open := syllable && (last-0xAC00)%28 == 0 // it ends with its vowel
	switch {
	case isLeading(r):
		return isLeading(last)
	case isVowel(r):
		return isLeading(last) || isVowel(last) || open
	}
	return isVowel(last) || isTrailing(last) || syllable
}

// likeMarks are the letters that are drawn in one with what stands before them:
// vowels of Thai and Lao, marks of half-width kana.
var likeMarks = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0E33, Hi: 0x0E33, Stride: 1},
		{Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1},
		{Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
	},
}

// likeLetters are the marks that take a cell of their own.
var likeLetters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x102B, Hi: 0x102C, Stride: 1},
		{Lo: 0x1038, Hi: 0x1038, Stride: 1},
		{Lo: 0x1062, Hi: 0x1064, Stride: 1},
		{Lo: 0x1067, Hi: 0x106D, Stride: 1},
		{Lo: 0x1083, Hi: 0x1083, Stride: 1},
		{Lo: 0x1087, Hi: 0x108C, Stride: 1},
		{Lo: 0x108F, Hi: 0x108F, Stride: 1},
		{Lo: 0x109A, Hi: 0x109C, Stride: 1},
		{Lo: 0x1A61, Hi: 0x1A61, Stride: 1},
		{Lo: 0x1A63, Hi: 0x1A64, Stride: 1},
		{Lo: 0xAA7B, Hi: 0xAA7B, Stride: 1},
		{Lo: 0xAA7D, Hi: 0xAA7D, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x11720, Hi: 0x11721, Stride: 1},
	},
}
