package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"example.com/crashers/store"
)

func init() {
	register(map[string]func(){"http-recovered": httpRecovered, "log-panic": giveUp})
}

// httpRecovered serves two requests; net/http recovers the first one's panic and goes on.
func httpRecovered() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", orders)
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	go http.Serve(ln, mux)
	url := "http://" + ln.Addr().String()
	if _, err := http.Get(url + "/orders"); err == nil {
		fmt.Fprintln(os.Stderr, "crashers: the request should have failed")
	}
	resp, err := http.Get(url + "/healthz")
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "healthz:", resp.Status)
}

//go:noinline
func orders(http.ResponseWriter, *http.Request) { store.New().Row("orders", 3) }

func giveUp() { log.Panicf("no leader after %d attempts", 5) }
