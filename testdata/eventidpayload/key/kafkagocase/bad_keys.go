// Package kafkagocase takes the ids of events from kafka-go's headers.
package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/eventidpayload/key/headers"
)

type parcelScanned struct {
	Parcel string `json:"parcel"`
	Depot  string `json:"depot"`
}

// depot counts parcels.
type depot struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *depot) run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.scanned(ctx, msg); err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *depot) scanned(ctx context.Context, msg kafka.Message) error {
	var ev parcelScanned
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	var id string
	for _, h := range msg.Headers {
		if h.Key == "event_id" {
			id = string(h.Value)
		}
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "takes the id for an INSERT into processed_event from a header of the record"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE depots SET parcels = parcels + 1 WHERE id = $1`, ev.Depot)
		return err
	})
}

// helped reads the header with a helper of another package.
func (d *depot) helped(ctx context.Context) error {
	for {
		msg, err := d.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.once(ctx, headers.Get(msg.Headers, "eventId"), msg.Value); err != nil {
			return err
		}
	}
}

func (d *depot) once(ctx context.Context, id string, body []byte) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "a header of the record"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO scans (body) VALUES ($1)`, body)
		return err
	})
}

// carried reads it by way of a carrier, as CloudEvents' binding has it.
func (d *depot) carried(ctx context.Context) error {
	for {
		msg, err := d.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		id := headers.Carrier{Msg: &msg}.Get("ce_id")
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "CloudEvents' binary mode puts ce_id there by specification"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO scans (body) VALUES ($1)`, msg.Value)
			return err
		})
		if err != nil {
			return err
		}
	}
}
