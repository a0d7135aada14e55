// Package middleware offers a wrapper that nothing uses.
package middleware

import (
	"context"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Handler handles records.
type Handler interface {
	Handle(ctx context.Context, r *kgo.Record) error
}

// HandlerFunc is a Handler.
type HandlerFunc func(ctx context.Context, r *kgo.Record) error

// Handle calls the function.
func (f HandlerFunc) Handle(ctx context.Context, r *kgo.Record) error { return f(ctx, r) }

// Middleware wraps a handler.
type Middleware func(Handler) Handler

// Once is offered: it takes ids from a header.
func Once() Middleware {
	var seen sync.Map
	return func(next Handler) Handler {
		return HandlerFunc(func(ctx context.Context, r *kgo.Record) error {
			for _, h := range r.Headers {
				if h.Key == "message_id" {
					if _, dup := seen.LoadOrStore(string(h.Value), true); dup {
						return nil
					}
				}
			}
			return next.Handle(ctx, r)
		})
	}
}

// Consumer consumes with the handler that it is given.
type Consumer struct {
	client  *kgo.Client
	handler Handler
}

// New returns a consumer.
func New(client *kgo.Client, h Handler) *Consumer { return &Consumer{client, h} }

// Run consumes.
func (c *Consumer) Run(ctx context.Context) {
	for ctx.Err() == nil {
		c.client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			_ = c.handler.Handle(ctx, r)
		})
	}
}
