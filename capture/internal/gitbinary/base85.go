package gitbinary

import (
	"encoding/binary"
	"math"
	"strings"
)

// alphabet is Git's: digits, letters, and the punctuation that survives mail.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// maxLine is the number of bytes on one line: A stands for 1, z for 52.
const maxLine = 52

const lengths = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// encodeLines returns data in lines, each with its newline.
func encodeLines(data []byte) string {
	var b strings.Builder
	for len(data) > 0 {
		n := min(len(data), maxLine)
		b.WriteByte(lengths[n-1])
		for i := 0; i < n; i += 4 {
			var four [4]byte
			copy(four[:], data[i:n])
			word := binary.BigEndian.Uint32(four[:])
			var five [5]byte
			for k := 4; k >= 0; k-- {
				five[k] = alphabet[word%85]
				word /= 85
			}
			b.Write(five[:])
		}
		b.WriteByte('\n')
		data = data[n:]
	}
	return b.String()
}

// decodeLines reads lines up to the empty one that ends them, and returns
// their bytes and what follows the empty line.
func decodeLines(text string) ([]byte, string, error) {
	var data []byte
	for {
		line, rest, found := strings.Cut(text, "\n")
		text = rest
		if !found {
			return nil, "", malformed("cut short")
		}
		if line == "" {
			return data, text, nil
		}
		n := strings.IndexByte(lengths, line[0]) + 1
		digits := line[1:]
		if n == 0 || len(digits) != (n+3)/4*5 {
			return nil, "", malformed("a line is not of its length")
		}
		start := len(data)
		for len(digits) > 0 {
			var word uint64
			for _, c := range []byte(digits[:5]) {
				digit := strings.IndexByte(alphabet, c)
				if digit < 0 {
					return nil, "", malformed("not base 85")
				}
				word = word*85 + uint64(digit)
			}
			if word > math.MaxUint32 {
				return nil, "", malformed("not base 85")
			}
			data = binary.BigEndian.AppendUint32(data, uint32(word))
			digits = digits[5:]
		}
		data = data[:start+n]
	}
}
