package looks

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
)

// envelope's id is two levels down.
type envelope struct {
	Head *head  `json:"head"`
	Body moored `json:"body"`
}

type head struct {
	Ids ids `json:"ids"`
}

type ids struct {
	EventID string `json:"event_id"`
}

func deep(_ context.Context, p sarama.SyncProducer, id, ship string) error {
	body, err := json.Marshal(envelope{Head: &head{Ids: ids{id}}, Body: moored{ship}})
	if err != nil {
		return err
	}
	_, _, err = p.SendMessage(&sarama.ProducerMessage{
		Value:   sarama.ByteEncoder(body),
		Headers: []sarama.RecordHeader{{Key: []byte("event_id"), Value: []byte(id)}},
	})
	return err
}
