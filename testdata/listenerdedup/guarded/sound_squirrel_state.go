package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type bypassOpened struct {
	EventID string `json:"eventId"`
	Route   string `json:"route"`
}

// BypassWorker is a guarded write: squirrel's Where holds the old state too.
type BypassWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewBypassWorker(brokers []string, db *sql.DB) *BypassWorker {
	return &BypassWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bypass.opened", GroupID: "bypass"}),
		db:     db,
	}
}

func (w *BypassWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("bypass.opened at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *BypassWorker) handle(ctx context.Context, body []byte) error {
	var e bypassOpened
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := squirrel.Update("routes").Set("state", "open").Where(squirrel.Eq{"id": e.Route, "state": "planned"}).PlaceholderFormat(squirrel.Dollar).RunWith(w.db).ExecContext(ctx)
	return err
}
