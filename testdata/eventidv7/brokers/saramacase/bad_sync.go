// Package saramacase publishes events with IBM/sarama.
package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
)

// trayBaked has no sibling that would tell it from a calendar entry: it is an event because it is published.
type trayBaked struct {
	EventID string `json:"eventId"`
	Oven    string `json:"oven"`
	Loaves  int    `json:"loaves"`
}

// bakery publishes with the synchronous producer.
type bakery struct {
	producer sarama.SyncProducer
}

func (b *bakery) baked(oven string, loaves int) error {
	ev := trayBaked{
		EventID: uuid.NewString(), // want "R-KFK-IDEM-1"
		Oven:    oven,
		Loaves:  loaves,
	}
	body, err := json.Marshal(&ev)
	if err != nil {
		return err
	}
	_, _, err = b.producer.SendMessage(&sarama.ProducerMessage{
		Topic: "bakery.trays",
		Key:   sarama.StringEncoder(oven),
		Value: sarama.ByteEncoder(body),
	})
	return err
}
