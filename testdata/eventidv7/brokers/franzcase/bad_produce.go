// Package franzcase publishes events with franz-go.
package franzcase

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

type netCast struct {
	EventID string `json:"eventId"`
	Boat    string `json:"boat"`
}

// fleet publishes with a promise.
type fleet struct {
	client *kgo.Client
}

func (f *fleet) cast(ctx context.Context, boat string) error {
	id := uuid.NewString() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(netCast{EventID: id, Boat: boat})
	if err != nil {
		return err
	}
	f.client.Produce(ctx, &kgo.Record{Topic: "nets", Key: []byte(boat), Value: body}, func(r *kgo.Record, err error) {
		if err != nil {
			slog.Error("net not published", "event_id", id, "err", err)
		}
	})
	return nil
}

type netHauled struct {
	EventID uuid.UUID `json:"eventId"`
	Boat    string    `json:"boat"`
	Kilos   float64   `json:"kilos"`
}

func (f *fleet) hauled(ctx context.Context, boat string, kilos float64) error {
	ev := &netHauled{Boat: boat, Kilos: kilos}
	ev.EventID = uuid.New() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return f.client.ProduceSync(ctx, kgo.SliceRecord(body)).FirstErr()
}
