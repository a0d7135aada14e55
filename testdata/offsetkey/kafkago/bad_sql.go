// Package kafkago holds the offsetkey cases written against segmentio/kafka-go.
package kafkago

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type orderPlaced struct {
	EventID string `json:"event_id"`
	OrderID int64  `json:"order_id"`
	Total   int64  `json:"total"`
}

// orderPump: the classic topic-partition-offset string is the key of a pgx gate, all inline in the loop.
type orderPump struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (p *orderPump) Run(ctx context.Context) error {
	for {
		msg, err := p.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev orderPlaced
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		key := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
		err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING", key, "ledger") // want "R-KFK-IDEM-X2"
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return nil
			}
			_, err = tx.Exec(ctx, "UPDATE ledger SET balance = balance - $2 WHERE order_id = $1", ev.OrderID, ev.Total)
			return err
		})
		if err != nil {
			return err
		}
		if err := p.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

type shipmentLeft struct {
	EventID  string `json:"event_id"`
	Shipment string `json:"shipment"`
}

// shipmentDesk: both the key and the gate hide in helpers of this package.
type shipmentDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func shipmentRecordID(m kafka.Message) string {
	return m.Topic + "/" + strconv.Itoa(m.Partition) + "/" + strconv.FormatInt(m.Offset, 10)
}

func claimShipment(ctx context.Context, tx pgx.Tx, id, group string) (bool, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, group) // want "R-KFK-IDEM-X2"
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

func (d *shipmentDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.handle(ctx, msg); err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *shipmentDesk) handle(ctx context.Context, msg kafka.Message) error {
	var ev shipmentLeft
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		first, err := claimShipment(ctx, tx, shipmentRecordID(msg), "tracking")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO tracking_steps (shipment, step) VALUES ($1, 'left')", ev.Shipment)
		return err
	})
}

type invoiceDue struct {
	EventID string `json:"event_id"`
	Invoice string `json:"invoice"`
}

// invoiceDesk: hashing the coordinates does not turn them into an identity; the gate is database/sql.
type invoiceDesk struct {
	reader *kafka.Reader
	db     *sql.DB
}

func (d *invoiceDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.remind(ctx, msg); err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *invoiceDesk) remind(ctx context.Context, msg kafka.Message) error {
	var ev invoiceDue
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%d|%d", msg.Topic, msg.Partition, msg.Offset))
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", hex.EncodeToString(sum[:]), "reminders") // want "R-KFK-IDEM-X2"
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return tx.Commit()
	}
	if _, err := tx.ExecContext(ctx, "UPDATE invoices SET reminders = reminders + 1 WHERE id = $1", ev.Invoice); err != nil {
		return err
	}
	return tx.Commit()
}

// refundDesk: the older two-step gate, look first and insert afterwards; reported once, where the key decides.
type refundDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *refundDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			id := fmt.Sprintf("%d:%d", msg.Partition, msg.Offset)
			var done bool
			if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)", id).Scan(&done); err != nil { // want "R-KFK-IDEM-X2"
				return err
			}
			if done {
				return nil
			}
			if _, err := tx.Exec(ctx, "INSERT INTO refunds (body) VALUES ($1)", msg.Value); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id) VALUES ($1)", id)
			return err
		})
		if err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
