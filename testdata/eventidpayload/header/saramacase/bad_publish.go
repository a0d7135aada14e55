// Package saramacase publishes with sarama.
package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
)

type quote struct {
	Symbol string  `json:"symbol"`
	Price  float64 `json:"price"`
}

// ticker publishes quotes.
type ticker struct {
	sync  sarama.SyncProducer
	async sarama.AsyncProducer
}

func (t *ticker) quoted(id string, q *quote) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	_, _, err = t.sync.SendMessage(&sarama.ProducerMessage{ // want "the event saramacase.quote is published with its id in the header eventId only"
		Topic:   "quotes",
		Value:   sarama.ByteEncoder(body),
		Headers: []sarama.RecordHeader{{Key: []byte("eventId"), Value: []byte(id)}},
	})
	return err
}

type halt struct {
	Symbol string `json:"symbol"`
}

func (t *ticker) halted(id string, h halt) error {
	body, err := json.Marshal(h)
	if err != nil {
		return err
	}
	msg := &sarama.ProducerMessage{Topic: "halts", Value: sarama.ByteEncoder(body)}
	msg.Headers = []sarama.RecordHeader{{Key: []byte("ce_id"), Value: []byte(id)}}
	t.async.Input() <- msg // want "the event saramacase.halt is published with its id in the header ce_id only"
	return nil
}

type resumed struct {
	EventID string `json:"eventId"`
	Symbol  string `json:"symbol"`
}

// soundResumed has the id in both.
func (t *ticker) soundResumed(id, symbol string) error {
	body, err := json.Marshal(resumed{id, symbol})
	if err != nil {
		return err
	}
	t.async.Input() <- &sarama.ProducerMessage{Value: sarama.ByteEncoder(body), Headers: []sarama.RecordHeader{{Key: []byte("eventId"), Value: []byte(id)}}}
	return nil
}
