package channelworker

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type knifeMade struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Pieces  int    `json:"pieces"`
}

// KnifeWorker sends each event over a channel to a goroutine; sound for this rule: a known event is not sent.
type KnifeWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	work   chan knifeMade
}

func NewKnifeWorker(brokers []string, pool *pgxpool.Pool) *KnifeWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "knife", GroupID: "factory"})
	return &KnifeWorker{reader: r, pool: pool, work: make(chan knifeMade, 16)}
}

// Start runs the loop and three workers.
func (w *KnifeWorker) Start(ctx context.Context) {
	for range 3 {
		go w.worker(ctx)
	}
	go w.poll(ctx)
}

func (w *KnifeWorker) poll(ctx context.Context) {
	defer close(w.work)
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		var e knifeMade
		if err := json.Unmarshal(m.Value, &e); err != nil {
			continue
		}
		tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'factory') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			continue
		}
		w.work <- e
	}
}

func (w *KnifeWorker) worker(ctx context.Context) {
	for e := range w.work {
		if err := w.count(ctx, e); err != nil {
			log.Printf("knife: %v", err)
		}
	}
}

func (w *KnifeWorker) count(ctx context.Context, e knifeMade) error {
	_, err := w.pool.Exec(ctx, `UPDATE lines SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Line)
	return err
}
