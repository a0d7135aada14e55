package effects

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type readCount struct {
	PostID uint `gorm:"primaryKey"`
	Reads  int
}

type postRead struct {
	EventID string `json:"eventId"`
	PostID  uint   `json:"postId"`
}

// CountReads adds on conflict: the upsert does not put the same value again.
func CountReads(ctx context.Context, r *kafka.Reader, db *gorm.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e postRead
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		err = db.WithContext(ctx).Clauses(clause.OnConflict{
			DoUpdates: clause.Assignments(map[string]any{"reads": gorm.Expr("reads + 1")}),
		}).Create(&readCount{PostID: e.PostID, Reads: 1}).Error // want "R-KFK-IDEM-X1: .* for each delivery"
		if err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
