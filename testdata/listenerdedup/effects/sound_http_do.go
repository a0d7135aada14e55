package effects

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/IBM/sarama"
)

type chimeRung struct {
	EventID string `json:"eventId"`
	Door    string `json:"door"`
}

// ChimeWorker is sound for this rule: a request with POST stands behind the mark of the event.
type ChimeWorker struct {
	db     *sql.DB
	client *http.Client
	url    string
}

func NewChimeWorker(db *sql.DB, client *http.Client, url string) *ChimeWorker {
	return &ChimeWorker{db: db, client: client, url: url}
}

func (w *ChimeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChimeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChimeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ChimeWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e chimeRung
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'chime') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", w.url, strings.NewReader(e.Door))
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
