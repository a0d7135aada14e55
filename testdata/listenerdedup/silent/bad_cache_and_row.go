package silent

import (
	"context"
	"database/sql"
	"encoding/json"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

type mapChanged struct {
	EventID string `json:"eventId"`
	Sheet   string `json:"sheet"`
	Title   string `json:"title"`
}

// AtlasWorker fills the same kind of cache and inserts a row as well.
type AtlasWorker struct {
	client *kgo.Client
	cache  *atlasCache
	db     *sql.DB
}

func NewAtlasWorker(seeds []string, cache *atlasCache, db *sql.DB) (*AtlasWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("atlas"), kgo.ConsumeTopics("map.changed"))
	if err != nil {
		return nil, err
	}
	return &AtlasWorker{client: client, cache: cache, db: db}, nil
}

func (w *AtlasWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *AtlasWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e mapChanged
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	w.cache.put(e.Sheet, e.Title)
	_, err := w.db.ExecContext(ctx, `INSERT INTO sheet_history (sheet, title) VALUES ($1, $2)`, e.Sheet, e.Title) // want "R-KFK-IDEM-X1"
	return err
}

type atlasCache struct {
	mu     sync.Mutex
	titles map[string]string
}

func (c *atlasCache) put(sheet, title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.titles == nil {
		c.titles = map[string]string{}
	}
	c.titles[sheet] = title
}
