// Command watchset dies the way Consul's API gateway controller does in
// https://github.com/hashicorp/consul/issues/23522: a memdb WatchSet is handed to a trigger
// goroutine, which ranges over it, while the reconciler goes on adding channels to it.
//
// It is no part of Consul. It borrows Consul's package paths so that the frames of its dump bear
// the names that operators see, and it uses the real go-memdb, go-hclog and errgroup.
//
//	watchset many    more channels than WatchCtx handles itself: dies in watchMany, after the log line
//	watchset quiet   the same without the log line, as builds that look at the context first die
//	watchset few     few channels: dies in WatchCtx itself, without the log line
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/hashicorp/consul/agent/consul/controller"
	"github.com/hashicorp/consul/agent/consul/gateways"
	"github.com/hashicorp/consul/agent/consul/state"
	"github.com/hashicorp/go-hclog"
)

// version is one of those the issue reports as affected; nothing in this program depends on it.
const version = "1.22.7"

func main() {
	mode := "many"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	// before and after: services watched before the set is handed over, and while it is in use.
	before, after, quiet := 700, 4000, false
	switch mode {
	case "many":
	case "quiet":
		quiet = true
	case "few": // together less than memdb's limit of 32, or the chunk in WatchCtx would overflow instead
		before, after, quiet = 9, 20, true
	default:
		fmt.Fprintf(os.Stderr, "usage: watchset many|quiet|few\n")
		os.Exit(64)
	}

	fmt.Fprintf(os.Stderr, "==> Starting Consul agent...\n              Version: '%s'\n           Build Date: '2026-03-11 17:02:55 +0000 UTC'\n", version)
	log := hclog.New(&hclog.LoggerOptions{Name: "agent", Level: hclog.Info, JSONFormat: true, Output: os.Stderr})
	server := log.Named("server")
	server.Info("cluster leadership acquired")
	server.Named("api_gateway_controller").Info("starting controller")

	runtime.GOMAXPROCS(max(4, runtime.NumCPU())) // on one core the kernel has to interrupt a write
	store := state.New(before + after)
	ctrl := controller.New(context.Background(), server.Named("api_gateway_controller"), quiet)
	route := gateways.Route{Name: "checkout", Before: before, After: after}
	// A round dies if the trigger still ranges when the next channel is added: near certain with
	// many channels, one in some thousand with few.
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		gateways.Reconcile(ctrl, store, route)
	}
	fmt.Fprintln(os.Stderr, "watchset: still alive")
	os.Exit(65)
}
