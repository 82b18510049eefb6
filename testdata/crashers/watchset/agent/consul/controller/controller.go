// Package controller runs triggers beside the reconciler that registered them.
package controller

import (
	"context"

	"github.com/hashicorp/go-hclog"
	"golang.org/x/sync/errgroup"
)

// A Controller takes triggers: functions that return when a request should be looked at again.
type Controller interface {
	AddTrigger(request string, trigger func(context.Context) error)
}

type controller struct {
	ctx    context.Context
	group  *errgroup.Group
	logger hclog.Logger
	quiet  bool
	last   map[string]func() // ends a request's trigger, and waits until it has ended
}

// New makes a controller. A quiet one doesn't log how triggers end.
func New(ctx context.Context, logger hclog.Logger, quiet bool) Controller {
	group, ctx := errgroup.WithContext(ctx)
	return &controller{ctx: ctx, group: group, logger: logger, quiet: quiet, last: make(map[string]func())}
}

// AddTrigger starts trigger in a goroutine, in place of the request's last one. It waits for the
// end of that, so that no log line lands within the runtime's own words when the next one dies.
func (c *controller) AddTrigger(request string, trigger func(context.Context) error) {
	if end, ok := c.last[request]; ok {
		end()
	}
	ctx, cancel := context.WithCancel(c.ctx)
	ended := make(chan struct{})
	c.group.Go(func() error {
		err := trigger(ctx)
		if err != nil && !c.quiet {
			c.logger.Error("error while running trigger, adding re-reconcilation anyway", "controller", "apiGatewayController", "error", err)
		}
		close(ended)
		return nil
	})
	c.last[request] = func() {
		cancel()
		<-ended
	}
}
