package gateoutside

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type pagerCalled struct {
	EventID string `json:"eventId"`
	Team    string `json:"team"`
}

// PagerWorker marks on the pool, reads the database and calls out by HTTP; right for this rule: it writes no business row.
type PagerWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	client *http.Client
}

func NewPagerWorker(brokers []string, pool *pgxpool.Pool, client *http.Client) *PagerWorker {
	return &PagerWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "pagers", GroupID: "pagers"}),
		pool:   pool,
		client: client,
	}
}

func (w *PagerWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.page(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *PagerWorker) page(ctx context.Context, payload []byte) error {
	var e pagerCalled
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	var url string
	if err := w.pool.QueryRow(ctx, `SELECT hook FROM teams WHERE id = $1`, e.Team).Scan(&url); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(e.EventID))
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
