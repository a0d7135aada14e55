package silent

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/jackc/pgx/v5/pgxpool"
)

type dessertPlaced struct {
	EventID string `json:"eventId"`
	Table   string `json:"table"`
}

// RegisterDesserts binds a handler on watermill's Go channels, which are not Kafka.
func RegisterDesserts(router *message.Router, pool *pgxpool.Pool, logger watermill.LoggerAdapter) error {
	sub := gochannel.NewGoChannel(gochannel.Config{}, logger)
	router.AddNoPublisherHandler("dessert", "dessert.placed", sub, func(msg *message.Message) error {
		var e dessertPlaced
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			return err
		}
		_, err := pool.Exec(msg.Context(), `INSERT INTO desserts (place) VALUES ($1)`, e.Table)
		return err
	})
	return nil
}
