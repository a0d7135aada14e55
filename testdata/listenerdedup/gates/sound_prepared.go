package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

type penSold struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
}

// PreparedReturning asks a prepared statement for the row that RETURNING gives; right: no
// row is a duplicate.
func PreparedReturning(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e penSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := preparedOnce(ctx, db, e); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func preparedOnce(ctx context.Context, db *sql.DB, e penSold) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	gate, err := tx.PrepareContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id`)
	if err != nil {
		return err
	}
	var id string
	err = gate.QueryRowContext(ctx, e.EventID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE shops SET pens = pens - 1 WHERE id = $1`, e.Shop); err != nil {
		return err
	}
	return tx.Commit()
}

// PreparedX does so with sqlx; right.
func PreparedX(ctx context.Context, r *kafka.Reader, db *sqlx.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e penSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := preparedX(ctx, db, e); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func preparedX(ctx context.Context, db *sqlx.DB, e penSold) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	gate, err := tx.PreparexContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id`)
	if err != nil {
		return err
	}
	var id string
	err = gate.QueryRowxContext(ctx, e.EventID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE shops SET pens = pens - 1 WHERE id = $1`, e.Shop); err != nil {
		return err
	}
	return tx.Commit()
}

// ExactlyOnce consumes, transforms and produces in one Kafka transaction; right: the
// output is aborted with the offsets.
func ExactlyOnce(ctx context.Context, s *kgo.GroupTransactSession) error {
	for {
		fetches := s.PollFetches(ctx)
		for _, rec := range fetches.Records() {
			s.Produce(ctx, &kgo.Record{Topic: "out", Value: rec.Value}, nil)
		}
		if _, err := s.End(ctx, kgo.TryCommit); err != nil {
			return err
		}
	}
}
