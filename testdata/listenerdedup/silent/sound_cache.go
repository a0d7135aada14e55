package silent

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

type productChanged struct {
	EventID string `json:"eventId"`
	SKU     string `json:"sku"`
	Title   string `json:"title"`
}

// CatalogWorker fills a cache in memory that it rebuilds from the topic at every start.
type CatalogWorker struct {
	client *kgo.Client
	cache  *catalogCache
}

func NewCatalogWorker(seeds []string, cache *catalogCache) (*CatalogWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("catalog"), kgo.ConsumeTopics("product.changed"))
	if err != nil {
		return nil, err
	}
	return &CatalogWorker{client: client, cache: cache}, nil
}

func (w *CatalogWorker) Run(ctx context.Context) error {
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

func (w *CatalogWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e productChanged
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	w.cache.put(e.SKU, e.Title)
	return ctx.Err()
}

type catalogCache struct {
	mu     sync.RWMutex
	titles map[string]string
}

func (c *catalogCache) put(sku, title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.titles == nil {
		c.titles = map[string]string{}
	}
	c.titles[sku] = title
}
