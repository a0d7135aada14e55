package silent

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/url"

	"github.com/segmentio/kafka-go"
)

type forecastMade struct {
	EventID string `json:"eventId"`
	City    string `json:"city"`
}

// ForecastWorker sends the same request with POST.
type ForecastWorker struct {
	reader *kafka.Reader
	client *http.Client
}

func NewForecastWorker(brokers []string, client *http.Client) *ForecastWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "forecast.made", GroupID: "forecast"})
	return &ForecastWorker{reader: r, client: client}
}

func (w *ForecastWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *ForecastWorker) handle(ctx context.Context, m kafka.Message) error {
	var e forecastMade
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://weather.example/v1/"+url.PathEscape(e.City), nil)
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req) // want "R-KFK-IDEM-X1"
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	log.Printf("%s: %s", e.City, resp.Status)
	return nil
}
