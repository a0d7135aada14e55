package kafkago

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/segmentio/kafka-go"
)

type payoutAsked struct {
	EventID string `json:"event_id"`
	Account string `json:"account"`
}

// askLoop: the offset goes into tracing headers; the Idempotency-Key is the event id.
type askLoop struct {
	reader *kafka.Reader
	client *http.Client
	url    string
}

func (l *askLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev payoutAsked
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/payouts", bytes.NewReader(msg.Value))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", "payout-"+ev.EventID)
		req.Header.Set("X-Request-Id", fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset))
		req.Header.Set("X-Kafka-Offset", strconv.FormatInt(msg.Offset, 10))
		resp, err := l.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

type walletLoaded struct {
	EventID string `json:"event_id"`
	Wallet  string `json:"wallet"`
}

// walletLoop: the post helper gets both strings, the coordinates for tracing and the event id as key, each in its own place.
type walletLoop struct {
	reader *kafka.Reader
	client *http.Client
	url    string
}

func (l *walletLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev walletLoaded
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		trace := fmt.Sprintf("%s/%d/%d", msg.Topic, msg.Partition, msg.Offset)
		if err := l.post(ctx, trace, ev.EventID, msg.Value); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *walletLoop) post(ctx context.Context, trace, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/topups", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-Trace", trace)
	req.Header.Set("Idempotency-Key", key)
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type fileChunk struct {
	EventID string `json:"event_id"`
	File    string `json:"file"`
	Offset  int64  `json:"offset"`
}

// chunkLoop: Offset here is the byte position of an upload chunk, a payload field and no Kafka offset.
type chunkLoop struct {
	reader *kafka.Reader
	client *http.Client
	url    string
}

func (l *chunkLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev fileChunk
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/chunks", bytes.NewReader(msg.Value))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%s-%s-%d", ev.EventID, ev.File, ev.Offset))
		resp, err := l.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
