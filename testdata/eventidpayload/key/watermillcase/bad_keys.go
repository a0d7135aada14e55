// Package watermillcase takes the ids of events from what watermill sends as headers.
package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

// kitchen cooks.
type kitchen struct{ db *sqlx.DB }

func (k *kitchen) routes(r *message.Router, sub *kafka.Subscriber) {
	r.AddNoPublisherHandler("orders", "orders", sub, k.order)
	r.AddNoPublisherHandler("changes", "changes", sub, k.change)
	r.AddNoPublisherHandler("sound", "sound", sub, k.soundOrder)
}

func (k *kitchen) order(msg *message.Message) error {
	return k.once(msg.UUID, msg.Payload)
}

func (k *kitchen) once(id string, dish []byte) error {
	tx, err := k.db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.Exec(`INSERT INTO processed_message (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "the message's UUID, which travels as a header"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO dishes (dish) VALUES ($1)`, dish); err != nil {
		return err
	}
	return tx.Commit()
}

func (k *kitchen) change(msg *message.Message) error {
	tx, err := k.db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.Exec(`INSERT INTO kitchen_processed_message (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, msg.Metadata.Get("event_id")) // want "header"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO changes (change) VALUES ($1)`, []byte(msg.Payload)); err != nil {
		return err
	}
	return tx.Commit()
}

type ordered struct {
	EventID string `json:"event_id"`
	Dish    string `json:"dish"`
}

func (k *kitchen) soundOrder(msg *message.Message) error {
	var ev ordered
	if err := json.Unmarshal(msg.Payload, &ev); err != nil {
		return err
	}
	tx, err := k.db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.Exec(`INSERT INTO processed_message (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, ev.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO dishes (dish, trace) VALUES ($1, $2)`, ev.Dish, msg.Metadata.Get("trace")); err != nil {
		return err
	}
	return tx.Commit()
}
