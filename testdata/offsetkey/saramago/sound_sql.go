package saramago

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type postingMade struct {
	EventID string `json:"event_id"`
	Account string `json:"account"`
}

// postingBooks: the name-based UUID is computed of the payload's event id, so every copy of the event gets the same.
type postingBooks struct {
	pool *pgxpool.Pool
}

func (c *postingBooks) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *postingBooks) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *postingBooks) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev postingMade
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		id := uuid.NewSHA1(recordSpace, []byte("posting/"+ev.EventID))
		err := pgx.BeginFunc(s.Context(), c.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(s.Context(), "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "books")
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				slog.Info("duplicate posting", "event_id", ev.EventID, "offset", msg.Offset)
				return nil
			}
			_, err = tx.Exec(s.Context(), "INSERT INTO postings (account) VALUES ($1)", ev.Account)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// parcelDrop keeps both: MessageID from the payload, Source for the logs.
type parcelDrop struct {
	MessageID string
	Source    string
	Parcel    string
}

type parcelDropped struct {
	EventID string `json:"event_id"`
	Parcel  string `json:"parcel"`
}

// dropGroup: the offset string is the neighbour field; the gate two calls away takes the event id.
type dropGroup struct {
	pool *pgxpool.Pool
}

func (g *dropGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *dropGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *dropGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev parcelDropped
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		drop := parcelDrop{
			MessageID: ev.EventID,
			Source:    msg.Topic + "-" + strconv.FormatInt(msg.Offset, 10),
			Parcel:    ev.Parcel,
		}
		if err := g.accept(s.Context(), drop); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

func (g *dropGroup) accept(ctx context.Context, drop parcelDrop) error {
	return pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
		return g.store(ctx, tx, drop)
	})
}

func (g *dropGroup) store(ctx context.Context, tx pgx.Tx, drop parcelDrop) error {
	tag, err := tx.Exec(ctx, "INSERT INTO inbox (message_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", drop.MessageID, "drops")
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO drops (parcel, source) VALUES ($1, $2)", drop.Parcel, drop.Source)
	return err
}

// ProcessedTier is the gorm model of the dedup table of tierGroup; the offset is a plain column of it.
type ProcessedTier struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
	KafkaOffset   int64
}

func (ProcessedTier) TableName() string { return "processed_events" }

// Tier is a business row with an observability column.
type Tier struct {
	ID           uint
	Member       string
	SourceOffset int64
}

type tierReached struct {
	EventID string `json:"event_id"`
	Member  string `json:"member"`
}

// tierGroup: the key field of the gorm model is the payload's id; the offset fills the fields beside it.
type tierGroup struct {
	db *gorm.DB
}

func (g *tierGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *tierGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *tierGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev tierReached
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err := g.db.WithContext(s.Context()).Transaction(func(tx *gorm.DB) error {
			row := ProcessedTier{EventID: ev.EventID, ConsumerGroup: "tiers", KafkaOffset: msg.Offset}
			res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
			if res.Error != nil || res.RowsAffected == 0 {
				return res.Error
			}
			return tx.Create(&Tier{Member: ev.Member, SourceOffset: msg.Offset}).Error
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
