package channelworker

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type forkMade struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Pieces  int    `json:"pieces"`
}

// ForkWorker sends each event over a channel to a goroutine; sound: the goroutine marks the event in its transaction.
type ForkWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	work   chan forkMade
}

func NewForkWorker(brokers []string, pool *pgxpool.Pool) *ForkWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "fork", GroupID: "factory"})
	return &ForkWorker{reader: r, pool: pool, work: make(chan forkMade, 16)}
}

// Start runs the loop and three workers.
func (w *ForkWorker) Start(ctx context.Context) {
	for range 3 {
		go w.worker(ctx)
	}
	go w.poll(ctx)
}

func (w *ForkWorker) poll(ctx context.Context) {
	defer close(w.work)
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		var e forkMade
		if err := json.Unmarshal(m.Value, &e); err != nil {
			continue
		}
		w.work <- e
	}
}

func (w *ForkWorker) worker(ctx context.Context) {
	for e := range w.work {
		if err := w.count(ctx, e); err != nil {
			log.Printf("fork: %v", err)
		}
	}
}

func (w *ForkWorker) count(ctx context.Context, e forkMade) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'factory') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE lines SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Line)
		return err
	})
}
