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
	cancel map[string]context.CancelFunc
}

// New makes a controller. A quiet one doesn't log the triggers that a newer one replaced.
func New(ctx context.Context, logger hclog.Logger, quiet bool) Controller {
	group, ctx := errgroup.WithContext(ctx)
	return &controller{ctx: ctx, group: group, logger: logger, quiet: quiet, cancel: make(map[string]context.CancelFunc)}
}

// AddTrigger starts trigger in a goroutine, in place of the request's last one.
func (c *controller) AddTrigger(request string, trigger func(context.Context) error) {
	if cancel, ok := c.cancel[request]; ok {
		cancel()
	}
	ctx, cancel := context.WithCancel(c.ctx)
	c.cancel[request] = cancel
	c.group.Go(func() error {
		err := trigger(ctx)
		if c.quiet && ctx.Err() != nil {
			return nil
		}
		if err != nil {
			c.logger.Error("error while running trigger, adding re-reconcilation anyway", "controller", "apiGatewayController", "error", err)
		}
		return nil
	})
}
