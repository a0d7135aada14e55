package kafkago

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/segmentio/kafka-go"
)

// payoutLoop: the Idempotency-Key of a net/http request is made of the offset, inline.
type payoutLoop struct {
	reader *kafka.Reader
	client *http.Client
	url    string
}

func (l *payoutLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/payouts", bytes.NewReader(msg.Value))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", fmt.Sprintf("payout-%d-%d", msg.Partition, msg.Offset)) // want "R-KFK-IDEM-X2"
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

// topUpLoop: the key is handed to a private post helper, which sets the header.
type topUpLoop struct {
	reader *kafka.Reader
	client *http.Client
	url    string
}

func (l *topUpLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%s/%d/%d", msg.Topic, msg.Partition, msg.Offset)
		if err := l.post(ctx, "/topups", key, msg.Value); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *topUpLoop) post(ctx context.Context, path, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key) // want "R-KFK-IDEM-X2"
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
