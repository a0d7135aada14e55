package jetcase

import (
	"context"
	"database/sql"
	"encoding/json"

	"example.com/cases/onconflict/jetcase/gen/table"
	wmkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/go-jet/jet/v2/postgres"
)

type muleWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// MuleWorker runs the statement on the database.
type MuleWorker struct {
	db *sql.DB
}

// Register binds the handler.
func (w *MuleWorker) Register(router *message.Router, sub *wmkafka.Subscriber) {
	router.AddNoPublisherHandler("muleworker", "muleworker", sub, func(msg *message.Message) error {
		return w.handle(msg.Context(), msg.Payload)
	})
}

func (w *MuleWorker) handle(ctx context.Context, payload []byte) error {
	var e muleWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	t := table.ProcessedEvents
	res, err := t.INSERT(t.EventID, t.ConsumerGroup).VALUES(e.EventID, "farms").ON_CONFLICT().DO_NOTHING().ExecContext(ctx, tx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	b := table.Berths
	if _, err := b.INSERT(b.AllColumns).VALUES(postgres.String(e.Farm)).ExecContext(ctx, w.db); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
