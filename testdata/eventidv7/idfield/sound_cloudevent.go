package idfield

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// sortedEvent: the SDK's event with version 7; the subject and an extension are random.
func sortedEvent(ctx context.Context, client *kgo.Client, data any) error {
	ev := event.New()
	ev.SetID(uuid.Must(uuid.NewV7()).String())
	ev.SetType("pier.closed")
	ev.SetSource("/harbour")
	ev.SetSubject(uuid.NewString())
	ev.SetExtension("traceid", uuid.NewString())
	if err := ev.SetData(event.ApplicationJSON, data); err != nil {
		return err
	}
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "harbour", Value: body}).FirstErr()
}

// forwarded keeps the id of the event that it wraps again.
func forwarded(in event.Event) CloudEvent {
	return CloudEvent{SpecVersion: "1.0", ID: in.ID(), Source: in.Source(), Type: in.Type(), Time: time.Now(), Data: in.Data()}
}
