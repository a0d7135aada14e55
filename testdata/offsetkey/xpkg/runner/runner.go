// Package runner polls records and hands them to a handler that another package supplies. It names each
// delivery by its coordinates, which is right as long as the handler only talks about it.
package runner

import (
	"context"
	"fmt"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Delivery is one record on its way to a handler.
type Delivery struct {
	Name string
	Body []byte
}

// Func handles a delivery.
type Func func(ctx context.Context, d Delivery) error

// Consumer polls with kafka-go.
type Consumer struct {
	reader *kafka.Reader
	handle Func
}

// New binds the handler.
func New(reader *kafka.Reader, handle Func) *Consumer {
	return &Consumer{reader: reader, handle: handle}
}

// Run polls until the context ends.
func (c *Consumer) Run(ctx context.Context) error {
	for {
		msg, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		d := Delivery{Name: fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset), Body: msg.Value}
		if err := c.handle(ctx, d); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// Parcel is one record on its way to a Handler.
type Parcel struct {
	Position int64
	Body     []byte
}

// Handler handles a parcel.
type Handler interface {
	HandleParcel(ctx context.Context, p Parcel) error
}

// Loop polls with franz-go.
type Loop struct {
	cl *kgo.Client
	h  Handler
}

// NewLoop binds the handler.
func NewLoop(cl *kgo.Client, h Handler) *Loop {
	return &Loop{cl: cl, h: h}
}

// Run polls until a fetch fails.
func (l *Loop) Run(ctx context.Context) error {
	for {
		fetches := l.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			if err := l.h.HandleParcel(ctx, Parcel{Position: r.Offset, Body: r.Value}); err != nil {
				return err
			}
		}
		if err := l.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
