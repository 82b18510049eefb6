#include "textflag.h"

// func alike(data, raw *byte, masks *mask64, chunks int, skip uint64) (n int, bits uint64)
TEXT ·alike(SB), NOSPLIT, $0-56
	MOVQ data+0(FP), SI
	MOVQ raw+8(FP), DI
	MOVQ masks+16(FP), DX
	MOVQ chunks+24(FP), CX
	MOVQ skip+32(FP), R13
	XORQ AX, AX
	MOVQ $0x0a0a0a0a0a0a0a0a, R8
	MOVQ R8, X15
	VPBROADCASTQ X15, Y15

next:
	CMPQ AX, CX
	JGE  same
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VPCMPEQB  (DI), Y0, Y2
	VPCMPEQB  32(DI), Y1, Y3
	VPCMPEQB  Y15, Y0, Y4
	VPCMPEQB  Y15, Y1, Y5
	VPMOVMSKB Y2, R8
	VPMOVMSKB Y3, R9
	VPMOVMSKB Y4, R10
	VPMOVMSKB Y5, R11
	SHLQ $32, R9
	SHLQ $32, R11
	ORQ  R9, R8
	ORQ  R11, R10
	ORQ  (DX), R8   // alike, or free
	NOTQ R8
	ANDQ 8(DX), R10 // newlines where none may be
	ORQ  R10, R8
	ANDNQ R8, R13, R8
	TESTQ R8, R8
	JNE  differ
	XORQ R13, R13
	ADDQ $64, SI
	ADDQ $64, DI
	ADDQ $16, DX
	INCQ AX
	JMP  next

same:
	XORQ R8, R8

differ:
	VZEROUPPER
	MOVQ AX, n+40(FP)
	MOVQ R8, bits+48(FP)
	RET
