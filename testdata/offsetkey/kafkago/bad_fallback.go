package kafkago

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// seatDesk: a header is looked up first; the offset steps in when the header is missing.
type seatDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func seatEventID(msg kafka.Message) string {
	for _, h := range msg.Headers {
		if h.Key == "event-id" && len(h.Value) > 0 {
			return string(h.Value)
		}
	}
	return fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
}

func (d *seatDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		id := seatEventID(msg)
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO inbox (event_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "seats") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE halls SET taken = taken + 1 WHERE hall = $1", string(msg.Key))
			return err
		})
		if err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

type parcelLost struct {
	EventID string `json:"event_id"`
	Parcel  string `json:"parcel"`
}

// lostDesk: an empty payload id is patched with the offset a few lines before the gate.
type lostDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *lostDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev parcelLost
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if ev.EventID == "" {
			ev.EventID = fmt.Sprint(msg.Offset)
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "claims") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO insurance_claims (parcel) VALUES ($1)", ev.Parcel)
			return err
		})
		if err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

type tariffSet struct {
	EventID string `json:"event_id"`
	Tariff  string `json:"tariff"`
}

// tariffDesk: the same fallback written with cmp.Or, inside the argument list of the gate.
type tariffDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *tariffDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var ev tariffSet
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", cmp.Or(ev.EventID, fmt.Sprintf("off-%d", msg.Offset)), "tariffs") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO tariff_history (tariff) VALUES ($1)", ev.Tariff)
			return err
		})
		if err != nil {
			return err
		}
	}
}
