package kafkagocase

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/segmentio/kafka-go"

	"example.com/cases/eventidpayload/key/headers"
)

type parcelLost struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
}

// lost takes the id from the payload; headers say where to go and what to trace.
func (d *depot) lost(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		carrier := headers.Carrier{Msg: &msg}
		slog.InfoContext(ctx, "record", "trace", carrier.Get("traceparent"), "headers", carrier.Keys())
		switch headers.Get(msg.Headers, "event-type") {
		case "parcel.lost":
			if err := d.isLost(ctx, msg); err != nil {
				return err
			}
		default:
			slog.WarnContext(ctx, "unknown event")
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *depot) isLost(ctx context.Context, msg kafka.Message) error {
	var ev parcelLost
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, ev.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO claims (parcel, source) VALUES ($1, $2)`, ev.Parcel, headers.Get(msg.Headers, "source"))
		return err
	})
}

// scoped joins the tenant of a header to the payload's id: the event is named by
// the payload.
func (d *depot) scoped(ctx context.Context) error {
	for {
		msg, err := d.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var ev parcelLost
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if err := d.once2(ctx, headers.Get(msg.Headers, "tenant")+"/"+ev.EventID, ev); err != nil {
			return err
		}
	}
}

func (d *depot) once2(ctx context.Context, key string, ev parcelLost) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, key)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO claims (parcel) VALUES ($1)`, ev.Parcel)
		return err
	})
}
