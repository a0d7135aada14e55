package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type detourDrawn struct {
	EventID string `json:"eventId"`
	Route   string `json:"route"`
	Stops   int    `json:"stops"`
}

// DetourWorker overwrites by key through squirrel.
type DetourWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewDetourWorker(brokers []string, db *sql.DB) *DetourWorker {
	return &DetourWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "detour.drawn", GroupID: "detour"}),
		db:     db,
	}
}

func (w *DetourWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("detour.drawn at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *DetourWorker) handle(ctx context.Context, body []byte) error {
	var e detourDrawn
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := squirrel.Update("routes").Set("stops", e.Stops).Where(squirrel.Eq{"id": e.Route}).PlaceholderFormat(squirrel.Dollar).RunWith(w.db).ExecContext(ctx) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
