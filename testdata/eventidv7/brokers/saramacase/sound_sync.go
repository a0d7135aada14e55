package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
)

type loafSold struct {
	EventID uuid.UUID `json:"eventId"`
	SaleID  string    `json:"saleId"`
	Loaf    string    `json:"loaf"`
}

// shop publishes with version 7; the sale and the request have random ids.
type shop struct {
	producer sarama.SyncProducer
}

func (s *shop) sold(loaf string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	body, err := json.Marshal(loafSold{EventID: id, SaleID: uuid.NewString(), Loaf: loaf})
	if err != nil {
		return err
	}
	_, _, err = s.producer.SendMessage(&sarama.ProducerMessage{
		Topic:   "bakery.sales",
		Value:   sarama.ByteEncoder(body),
		Headers: []sarama.RecordHeader{{Key: []byte("x-request-id"), Value: []byte(uuid.NewString())}},
	})
	return err
}
