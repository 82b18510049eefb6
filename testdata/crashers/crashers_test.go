package main

import (
	"testing"
	"time"

	"example.com/crashers/store"
)

// These tests fail on purpose: the parser's tests build them with go test -c and read what they print.

func TestPanics(t *testing.T) {
	t.Run("row", func(t *testing.T) { store.New().Row("orders", 7) })
}

func TestHangs(t *testing.T) {
	t.Run("queue", func(t *testing.T) {
		s := &server{quit: make(chan struct{})}
		go s.receive()
		s.receive()
	})
}

func TestLate(t *testing.T) {
	go func() { panic("after all") }()
	time.Sleep(10 * time.Second)
}
