package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type ironCast struct {
	EventID string `json:"eventId"`
	Plant   string `json:"plant"`
	Tons    int    `json:"tons"`
}

// IronWorker has the text of a squirrel update as its effect and no gate.
type IronWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewIronWorker(brokers []string, db *sql.DB) *IronWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "iron.cast", GroupID: "iron"})
	return &IronWorker{reader: r, db: db}
}

func (w *IronWorker) Run(ctx context.Context) error {
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

func (w *IronWorker) handle(ctx context.Context, m kafka.Message) error {
	var e ironCast
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	query, args, err := squirrel.Update("plants").Set("tons", squirrel.Expr("tons + ?", e.Tons)).Where(squirrel.Eq{"id": e.Plant}).PlaceholderFormat(squirrel.Dollar).ToSql()
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, query, args...) // want "R-KFK-IDEM-X1"
	return err
}
