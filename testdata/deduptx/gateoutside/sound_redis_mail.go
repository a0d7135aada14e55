package gateoutside

import (
	"context"
	"encoding/json"
	"net/smtp"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type tableReady struct {
	EventID string `json:"eventId"`
	Email   string `json:"email"`
}

// ReadyMailer marks in Redis and sends a mail; right for this rule: nothing is written to a database that could share a transaction.
type ReadyMailer struct {
	reader *kafka.Reader
	rdb    *redis.Client
	relay  string
}

func NewReadyMailer(brokers []string, rdb *redis.Client, relay string) *ReadyMailer {
	return &ReadyMailer{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tables", GroupID: "mailer"}),
		rdb:    rdb,
		relay:  relay,
	}
}

func (w *ReadyMailer) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.send(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *ReadyMailer) send(ctx context.Context, payload []byte) error {
	var e tableReady
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	first, err := w.rdb.SetNX(ctx, "mail:"+e.EventID, "1", 24*time.Hour).Result()
	if err != nil || !first {
		return err
	}
	return smtp.SendMail(w.relay, nil, "tables@restaurant.example", []string{e.Email}, []byte("Your table is ready"))
}
