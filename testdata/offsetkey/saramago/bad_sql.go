// Package saramago holds the offsetkey cases written against IBM/sarama.
package saramago

import (
	"context"
	"fmt"
	"strconv"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var recordSpace = uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8")

// claimBooks: a name-based UUID over the coordinates looks like an event id and is none.
type claimBooks struct {
	pool *pgxpool.Pool
}

func (c *claimBooks) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *claimBooks) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *claimBooks) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		id := uuid.NewSHA1(recordSpace, []byte(fmt.Sprintf("%s#%d#%d", msg.Topic, msg.Partition, msg.Offset)))
		err := pgx.BeginFunc(s.Context(), c.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(s.Context(), "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "books") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(s.Context(), "INSERT INTO postings (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// parcelScan is what is left of the record after the first hop; its MessageID was made of the offset.
type parcelScan struct {
	MessageID string
	Parcel    string
	Body      []byte
}

// scanGroup: the offset string sits in a field called MessageID and reaches the gate two calls away.
type scanGroup struct {
	pool *pgxpool.Pool
}

func (g *scanGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *scanGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *scanGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		scan := parcelScan{
			MessageID: msg.Topic + "-" + strconv.FormatInt(msg.Offset, 10),
			Parcel:    string(msg.Key),
			Body:      msg.Value,
		}
		if err := g.accept(s.Context(), scan); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

func (g *scanGroup) accept(ctx context.Context, scan parcelScan) error {
	return pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
		return g.store(ctx, tx, scan)
	})
}

func (g *scanGroup) store(ctx context.Context, tx pgx.Tx, scan parcelScan) error {
	tag, err := tx.Exec(ctx, "INSERT INTO inbox (message_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", scan.MessageID, "scans") // want "R-KFK-IDEM-X2"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO scans (parcel, body) VALUES ($1, $2)", scan.Parcel, scan.Body)
	return err
}

// ProcessedPoint is the gorm model of the dedup table of pointGroup.
type ProcessedPoint struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
}

func (ProcessedPoint) TableName() string { return "processed_events" }

// pointGroup: the offset goes into the key field of a gorm model.
type pointGroup struct {
	db *gorm.DB
}

func (g *pointGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *pointGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *pointGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		err := g.db.WithContext(s.Context()).Transaction(func(tx *gorm.DB) error {
			row := ProcessedPoint{
				EventID:       fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset),
				ConsumerGroup: "points",
			}
			res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row) // want "R-KFK-IDEM-X2"
			if res.Error != nil || res.RowsAffected == 0 {
				return res.Error
			}
			return tx.Exec("UPDATE members SET points = points + 1 WHERE id = ?", string(msg.Key)).Error
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
