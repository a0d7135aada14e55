package idfield

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// CloudEvent is the house's own struct for the specification's structured mode.
type CloudEvent struct {
	SpecVersion string          `json:"specversion"`
	ID          string          `json:"id"`
	Source      string          `json:"source"`
	Type        string          `json:"type"`
	Time        time.Time       `json:"time"`
	Data        json.RawMessage `json:"data"`
}

func publishCloudEvent(ctx context.Context, client *kgo.Client, typ string, data []byte) error {
	body, err := json.Marshal(CloudEvent{
		SpecVersion: "1.0",
		ID:          uuid.NewString(), // want "R-KFK-IDEM-1"
		Source:      "/harbour",
		Type:        typ,
		Time:        time.Now(),
		Data:        data,
	})
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "harbour", Value: body}).FirstErr()
}

// sdkEvent uses the SDK's type and its setter.
func sdkEvent(ctx context.Context, client *kgo.Client, typ string, data any) error {
	ev := event.New()
	ev.SetID(uuid.NewString()) // want "R-KFK-IDEM-1"
	ev.SetType(typ)
	ev.SetSource("/harbour")
	ev.SetTime(time.Now())
	if err := ev.SetData(event.ApplicationJSON, data); err != nil {
		return err
	}
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "harbour", Value: body}).FirstErr()
}
