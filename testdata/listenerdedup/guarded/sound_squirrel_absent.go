package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type routeDrawn struct {
	EventID string `json:"eventId"`
	Route   string `json:"route"`
	Stops   int    `json:"stops"`
}

// RouteWorker is a guarded write: squirrel with the suffix DO NOTHING on the payload's key.
type RouteWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewRouteWorker(brokers []string, db *sql.DB) *RouteWorker {
	return &RouteWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "route.drawn", GroupID: "route"}),
		db:     db,
	}
}

func (w *RouteWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("route.drawn at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *RouteWorker) handle(ctx context.Context, body []byte) error {
	var e routeDrawn
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := squirrel.Insert("routes").Columns("id", "stops").Values(e.Route, e.Stops).Suffix("ON CONFLICT (id) DO NOTHING").PlaceholderFormat(squirrel.Dollar).RunWith(w.db).ExecContext(ctx)
	return err
}
