package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type saltDug struct {
	EventID string `json:"eventId"`
	Plant   string `json:"plant"`
	Tons    int    `json:"tons"`
}

// SaltWorker has an insert with squirrel as its effect and no gate.
type SaltWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewSaltWorker(brokers []string, db *sql.DB) *SaltWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "salt.dug", GroupID: "salt"})
	return &SaltWorker{reader: r, db: db}
}

func (w *SaltWorker) Run(ctx context.Context) error {
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

func (w *SaltWorker) handle(ctx context.Context, m kafka.Message) error {
	var e saltDug
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := squirrel.Insert("outputs").Columns("plant", "tons").Values(e.Plant, e.Tons).PlaceholderFormat(squirrel.Dollar).RunWith(w.db).ExecContext(ctx) // want "R-KFK-IDEM-X1"
	return err
}
