// Package order has payloads whose event id is not in front.
package order

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type treePlanted struct {
	Type    string `json:"type"`
	EventID string `json:"eventId"` // want "the event id EventID of treePlanted is not the first field of the payload"
	Tree    string `json:"tree"`
}

func planted(ctx context.Context, w *kafka.Writer, id, tree string) error {
	body, err := json.Marshal(treePlanted{Type: "tree.planted", EventID: id, Tree: tree})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}

// base is an envelope that comes last.
type base struct {
	EventID string `json:"event_id"`
	Version int    `json:"version"`
}

type treeFelled struct {
	Tree string `json:"tree"`
	base        // want "the event id of treeFelled, in base, is not the first field"
}

func felled(ctx context.Context, w *kafka.Writer, id, tree string) error {
	body, err := json.Marshal(&treeFelled{Tree: tree, base: base{EventID: id}})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}

// treeMoved is made here and published by whoever calls.
type treeMoved struct {
	OccurredAt time.Time `json:"occurredAt"`
	Type       string    `json:"type"`
	EventID    uuid.UUID `json:"eventId"` // want "the event id EventID of treeMoved is not the first field"
	Tree       string    `json:"tree"`
}

func moved(tree string) treeMoved {
	return treeMoved{OccurredAt: time.Now(), Type: "tree.moved", EventID: uuid.Must(uuid.NewV7()), Tree: tree}
}
