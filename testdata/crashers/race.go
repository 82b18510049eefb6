package main

import (
	"os"
	"time"
)

func init() {
	register(map[string]func(){"race": race})
}

type counter struct{ n int }

//go:noinline
func (c *counter) add() { c.n++ }

// race reports only in a binary built with -race; it ends with status 66 there. The pause orders
// the two accesses in time, which is no synchronisation.
func race() {
	var c counter
	startCounting(&c)
	time.Sleep(100 * time.Millisecond)
	c.add()
	if c.n < 1 {
		os.Exit(1)
	}
}

//go:noinline
func startCounting(c *counter) {
	go func() {
		c.add()
	}()
}
