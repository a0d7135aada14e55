package silent

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

type auditRaised struct {
	EventID string `json:"eventId"`
	Actor   string `json:"actor"`
	Action  string `json:"action"`
}

// AuditWorker only logs: nothing happens twice.
type AuditWorker struct {
	reader *kafka.Reader
	log    *slog.Logger
}

func NewAuditWorker(brokers []string, log *slog.Logger) *AuditWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "audit.raised", GroupID: "audit"})
	return &AuditWorker{reader: r, log: log}
}

func (w *AuditWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *AuditWorker) handle(ctx context.Context, m kafka.Message) error {
	var e auditRaised
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	w.log.InfoContext(ctx, "audit", "event", e.EventID, "actor", e.Actor, "action", e.Action)
	return nil
}
