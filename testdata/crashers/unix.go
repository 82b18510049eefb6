//go:build unix

package main

import "syscall"

func init() {
	register(map[string]func(){"out-of-memory": outOfMemory, "fault-address": faultAddress})
}

// outOfMemory asks for more than the limit that it sets for itself: the system refuses, and no
// page of it is ever touched.
func outOfMemory() {
	const limit = 4 << 30
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
	load(2 * limit)
}

//go:noinline
func load(n int) []byte { return make([]byte, n) }

// faultAddress writes to a page that was unmapped: unlike a nil dereference, a fault that can't be recovered.
func faultAddress() {
	page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	first := &page[0]
	syscall.Munmap(page)
	poke(first)
}

//go:noinline
func poke(p *byte) { *p = 1 }
