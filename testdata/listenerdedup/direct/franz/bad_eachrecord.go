package franzcase

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type ticketSold struct {
	EventID string `json:"eventId"`
	Match   string `json:"match"`
	Row     string `json:"row"`
}

// TicketWorker is PollFetches + EachRecord; the closure inserts the ticket at every delivery.
type TicketWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewTicketWorker(seeds []string, pool *pgxpool.Pool) (*TicketWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("gate-lists"), kgo.ConsumeTopics("tickets"))
	if err != nil {
		return nil, err
	}
	return &TicketWorker{client: client, pool: pool}, nil
}

func (w *TicketWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		var failed error
		fetches.EachRecord(func(r *kgo.Record) {
			var e ticketSold
			if err := json.Unmarshal(r.Value, &e); err != nil {
				failed = errors.Join(failed, err)
				return
			}
			if _, err := w.pool.Exec(ctx, `INSERT INTO gate_list (match, seat_row) VALUES ($1, $2)`, e.Match, e.Row); err != nil { // want "R-KFK-IDEM-X1"
				failed = errors.Join(failed, err)
			}
		})
		if failed != nil {
			return failed
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
