// Package franzcase publishes with franz-go.
package franzcase

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

type seatTaken struct {
	Show string `json:"show"`
	Seat string `json:"seat"`
}

func taken(ctx context.Context, client *kgo.Client, id, show, seat string) error {
	body, err := json.Marshal(seatTaken{show, seat})
	if err != nil {
		return err
	}
	rec := kgo.KeySliceRecord([]byte(show), body)
	rec.Headers = []kgo.RecordHeader{{Key: "event-id", Value: []byte(id)}}
	return client.ProduceSync(ctx, rec).FirstErr() // want "the event franzcase.seatTaken is published with its id in the header event-id only"
}

func soundTaken(ctx context.Context, client *kgo.Client, show, seat string) error {
	body, err := json.Marshal(seatTaken{show, seat})
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Value: body, Headers: []kgo.RecordHeader{{Key: "content-type", Value: []byte("application/json")}}}).FirstErr()
}
