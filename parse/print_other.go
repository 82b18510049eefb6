//go:build !amd64

package parse

// canPrint is false where no assembly compares whole runs: line by line is faster then.
const canPrint = false

func alike(data, raw *byte, masks *mask64, chunks int, skip uint64) (n int, bits uint64) {
	return 0, ^skip
}
