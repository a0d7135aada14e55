package silent

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type archiveAsked struct {
	EventID string `json:"eventId"`
	Box     string `json:"box"`
}

// ArchiveWorker has a method that inserts, but the listener does not call it; an administrator's command does.
type ArchiveWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewArchiveWorker(brokers []string, pool *pgxpool.Pool) *ArchiveWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "archive.asked", GroupID: "archive"})
	return &ArchiveWorker{reader: r, pool: pool}
}

func (w *ArchiveWorker) Run(ctx context.Context) error {
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

func (w *ArchiveWorker) handle(ctx context.Context, m kafka.Message) error {
	var e archiveAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	log.Printf("box %s was asked for", e.Box)
	return ctx.Err()
}

// Store is called by a command.
func (w *ArchiveWorker) Store(ctx context.Context, box string) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO boxes (name) VALUES ($1)`, box)
	return err
}
