package goroutine

import (
	"context"
	"encoding/json"
	"log"
	"sync"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type tyreChanged struct {
	EventID string `json:"eventId"`
	Car     string `json:"car"`
	Pieces  int    `json:"pieces"`
}

// TyreWorker starts a goroutine for each record; the goroutine writes at every delivery.
type TyreWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewTyreWorker(brokers []string, db *sqlx.DB) *TyreWorker {
	return &TyreWorker{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tyres", GroupID: "garage"}), db: db}
}

func (w *TyreWorker) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.handle(ctx, m)
		}()
	}
}

func (w *TyreWorker) handle(ctx context.Context, m kafka.Message) {
	var e tyreChanged
	if err := json.Unmarshal(m.Value, &e); err != nil {
		log.Printf("tyre at %d: %v", m.Offset, err)
		return
	}
	if _, err := w.db.ExecContext(ctx, `UPDATE cars SET tyres = tyres + $1 WHERE id = $2`, e.Pieces, e.Car); err != nil { // want "R-KFK-IDEM-X1"
		log.Printf("tyre at %d: %v", m.Offset, err)
	}
}
