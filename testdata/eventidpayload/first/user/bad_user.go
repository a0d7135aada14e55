// Package user publishes events of another package.
package user

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"

	"example.com/cases/eventidpayload/first/shared"
)

func built(ctx context.Context, c *kgo.Client, ev shared.NestBuilt) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return c.ProduceSync(ctx, &kgo.Record{Topic: "nests", Value: body}).FirstErr() // want "the event id EventID of NestBuilt is not the first field"
}

func soundLeft(ctx context.Context, c *kgo.Client, ev *shared.NestLeft) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return c.ProduceSync(ctx, &kgo.Record{Topic: "nests", Value: body}).FirstErr()
}
