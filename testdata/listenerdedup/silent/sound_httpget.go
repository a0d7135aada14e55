package silent

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/url"

	"github.com/segmentio/kafka-go"
)

type weatherAsked struct {
	EventID string `json:"eventId"`
	City    string `json:"city"`
}

// WeatherWorker only asks with GET and logs the answer.
type WeatherWorker struct {
	reader *kafka.Reader
	client *http.Client
}

func NewWeatherWorker(brokers []string, client *http.Client) *WeatherWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "weather.asked", GroupID: "weather"})
	return &WeatherWorker{reader: r, client: client}
}

func (w *WeatherWorker) Run(ctx context.Context) error {
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

func (w *WeatherWorker) handle(ctx context.Context, m kafka.Message) error {
	var e weatherAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://weather.example/v1/"+url.PathEscape(e.City), nil)
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	log.Printf("%s: %s", e.City, resp.Status)
	return nil
}
