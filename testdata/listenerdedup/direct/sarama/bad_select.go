package saramacase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type seatBooked struct {
	EventID string `json:"eventId"`
	ShowID  string `json:"showId"`
	Seats   int    `json:"seats"`
}

// SeatConsumer is ConsumeClaim with a select on the session's end; the counter is lowered at every delivery.
type SeatConsumer struct {
	db *sql.DB
}

func NewSeatConsumer(db *sql.DB) *SeatConsumer { return &SeatConsumer{db: db} }

func (c *SeatConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *SeatConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *SeatConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if err := c.book(session.Context(), msg.Value); err != nil {
				return err
			}
			session.MarkMessage(msg, "")
		case <-session.Context().Done():
			return nil
		}
	}
}

func (c *SeatConsumer) book(ctx context.Context, body []byte) error {
	var e seatBooked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := c.db.ExecContext(ctx, `UPDATE shows SET free_seats = free_seats - $1 WHERE id = $2`, e.Seats, e.ShowID) // want "R-KFK-IDEM-X1"
	return err
}
