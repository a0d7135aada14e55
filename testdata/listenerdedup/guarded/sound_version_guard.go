package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type recipeEdited struct {
	EventID string `json:"eventId"`
	Recipe  string `json:"recipe"`
	Text    string `json:"text"`
	Version int    `json:"version"`
}

// RecipeWorker is a guarded write: the update needs the version just before the event's.
type RecipeWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewRecipeWorker(brokers []string, db *sql.DB) *RecipeWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "recipe.edited", GroupID: "recipe"})
	return &RecipeWorker{reader: r, db: db}
}

func (w *RecipeWorker) Run(ctx context.Context) error {
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

func (w *RecipeWorker) handle(ctx context.Context, m kafka.Message) error {
	var e recipeEdited
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `UPDATE recipes SET body = $2, version = $3 WHERE id = $1 AND version = $3 - 1`, e.Recipe, e.Text, e.Version)
	return err
}
