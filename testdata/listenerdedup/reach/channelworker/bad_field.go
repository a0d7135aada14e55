package channelworker

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type spoonMade struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Pieces  int    `json:"pieces"`
}

// SpoonWorker sends each event over a channel to a goroutine; the goroutine adds at every delivery.
type SpoonWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	work   chan spoonMade
}

func NewSpoonWorker(brokers []string, pool *pgxpool.Pool) *SpoonWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "spoon", GroupID: "factory"})
	return &SpoonWorker{reader: r, pool: pool, work: make(chan spoonMade, 16)}
}

// Start runs the loop and three workers.
func (w *SpoonWorker) Start(ctx context.Context) {
	for range 3 {
		go w.worker(ctx)
	}
	go w.poll(ctx)
}

func (w *SpoonWorker) poll(ctx context.Context) {
	defer close(w.work)
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		var e spoonMade
		if err := json.Unmarshal(m.Value, &e); err != nil {
			continue
		}
		w.work <- e
	}
}

func (w *SpoonWorker) worker(ctx context.Context) {
	for e := range w.work {
		if err := w.count(ctx, e); err != nil {
			log.Printf("spoon: %v", err)
		}
	}
}

func (w *SpoonWorker) count(ctx context.Context, e spoonMade) error {
	_, err := w.pool.Exec(ctx, `UPDATE lines SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Line) // want "R-KFK-IDEM-X1"
	return err
}
