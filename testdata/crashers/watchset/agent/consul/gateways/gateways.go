// Package gateways is the reconciler with the fault: it registers its trigger too early.
package gateways

import (
	"context"
	"time"

	"github.com/hashicorp/consul/agent/consul/controller"
	"github.com/hashicorp/consul/agent/consul/state"
	"github.com/hashicorp/go-memdb"
)

// Route names how many backends are looked up before the trigger is registered, and after.
type Route struct {
	Name          string
	Before, After int
}

// Reconcile looks up the backends of a route and watches each.
func Reconcile(c controller.Controller, db *memdb.MemDB, r Route) {
	stale(c, r)
	ws := memdb.NewWatchSet()
	watch(ws, db, 0, r.Before)
	c.AddTrigger(r.Name, ws.WatchCtx) // the fault: ws is not complete yet
	watch(ws, db, r.Before, r.Before+r.After)
}

// stale leaves a trigger behind that the round's own trigger replaces, so that its end is logged
// while the new one starts.
func stale(c controller.Controller, r Route) {
	started := make(chan struct{})
	c.AddTrigger(r.Name, func(ctx context.Context) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	})
	select {
	case <-started:
	case <-time.After(time.Second):
	}
}

func watch(ws memdb.WatchSet, db *memdb.MemDB, from, to int) {
	txn := db.Txn(false)
	defer txn.Abort()
	for i := from; i < to; i++ {
		ch, _, err := txn.FirstWatch("services", "id", state.ServiceName(i))
		if err != nil {
			panic(err)
		}
		ws.Add(ch)
	}
}
