package effects

import (
	"context"
	"encoding/json"
	"log"
	"net/smtp"

	"github.com/segmentio/kafka-go"
)

type letterAsked struct {
	EventID string `json:"eventId"`
	To      string `json:"to"`
	Text    string `json:"text"`
}

// MailWorker has an e-mail as its effect and no gate.
type MailWorker struct {
	reader *kafka.Reader
	addr   string
	auth   smtp.Auth
}

func NewMailWorker(brokers []string, addr string, auth smtp.Auth) *MailWorker {
	return &MailWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "letter.asked", GroupID: "mail"}),
		addr:   addr, auth: auth,
	}
}

func (w *MailWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("letter.asked at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *MailWorker) handle(ctx context.Context, body []byte) error {
	var e letterAsked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	text := "Subject: your order\r\n\r\n" + e.Text
	return smtp.SendMail(w.addr, w.auth, "shop@example.org", []string{e.To}, []byte(text)) // want "R-KFK-IDEM-X1"
}
