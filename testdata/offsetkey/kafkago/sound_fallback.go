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

type seatFreed struct {
	EventID string `json:"event_id"`
	Hall    string `json:"hall"`
}

// freeDesk: a record without an id is an error whose text names the offset; nothing stands in for the id.
type freeDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func freeEventID(msg kafka.Message, ev seatFreed) (string, error) {
	if ev.EventID == "" {
		return "", fmt.Errorf("no event_id in %s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
	}
	return ev.EventID, nil
}

func (d *freeDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev seatFreed
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		id, err := freeEventID(msg, ev)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO inbox (event_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "seats")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE halls SET taken = taken - 1 WHERE hall = $1", ev.Hall)
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

type parcelFound struct {
	EventID  string `json:"event_id"`
	LegacyID string `json:"legacy_id"`
	Parcel   string `json:"parcel"`
}

// foundDesk: an empty id falls back to the older field of the same payload, which every copy of the event carries.
type foundDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *foundDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev parcelFound
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", cmp.Or(ev.EventID, ev.LegacyID), "claims")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO claim_refusals (parcel, seen_at_offset) VALUES ($1, $2)", ev.Parcel, msg.Offset)
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
