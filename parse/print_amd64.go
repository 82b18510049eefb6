package parse

import "golang.org/x/sys/cpu"

// canPrint says whether the processor compares whole runs faster than line by line.
var canPrint = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// alike compares chunks of 64 bytes under their masks, and returns how many are
// alike and which bytes of the next one are not; bits is 0 if all are. The bytes
// of the first chunk that skip names count as alike. data and raw have chunks*64
// bytes, masks have chunks elements.
//
//go:noescape
func alike(data, raw *byte, masks *mask64, chunks int, skip uint64) (n int, bits uint64)
