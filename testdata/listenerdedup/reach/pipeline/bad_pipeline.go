// Package pipeline hands records through three channels, the last of which the
// starting function itself reads.
package pipeline

import (
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"example.com/cases/listenerdedup/reach/pipeline/desk"
)

// Source polls into a channel.
type Source struct {
	cfg    *kafka.ConfigMap
	topics []string
}

// Poll hands each message on.
func (s *Source) Poll(out chan *kafka.Message) error {
	c, err := kafka.NewConsumer(s.cfg)
	if err != nil {
		return err
	}
	if err := c.SubscribeTopics(s.topics, nil); err != nil {
		return err
	}
	for {
		msg, err := c.ReadMessage(-1)
		if err == nil {
			out <- msg
		}
	}
}

// Sink publishes.
type Sink struct {
	cfg *kafka.ConfigMap
}

func (s *Sink) publish(body any, topic string) error {
	p, err := kafka.NewProducer(s.cfg)
	if err != nil {
		return err
	}
	return p.Produce(&kafka.Message{Value: body.([]byte), TopicPartition: kafka.TopicPartition{Topic: &topic}}, nil) // want "R-KFK-IDEM-X1"
}

// Serve wires the stages: a redelivered order is traded again.
func Serve() {
	in := make(chan *desk.Order)
	out := make(chan *desk.Order)
	msgs := make(chan *kafka.Message)

	source := &Source{cfg: &kafka.ConfigMap{"bootstrap.servers": "localhost:9092", "group.id": "desk"}, topics: []string{"orders"}}
	sink := &Sink{cfg: &kafka.ConfigMap{"bootstrap.servers": "localhost:9092"}}
	go source.Poll(msgs)

	d := desk.New(in, out)
	go d.Trade()

	go func() {
		for msg := range msgs {
			var o desk.Order
			if err := json.Unmarshal(msg.Value, &o); err != nil {
				panic(err)
			}
			in <- &o
		}
	}()

	for o := range out {
		body, err := json.Marshal(o)
		if err != nil {
			panic(err)
		}
		sink.publish(body, "filled")
	}
}
