package kafkago

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type orderPaid struct {
	EventID string `json:"event_id"`
	OrderID int64  `json:"order_id"`
	Total   int64  `json:"total"`
}

// paidPump: the key comes from the payload; topic, partition and offset appear in the log of the duplicate branch only.
type paidPump struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (p *paidPump) Run(ctx context.Context) error {
	for {
		msg, err := p.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev orderPaid
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		where := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
		err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING", ev.EventID, "ledger")
			if err != nil {
				return fmt.Errorf("mark record %s: %w", where, err)
			}
			if tag.RowsAffected() == 0 {
				slog.InfoContext(ctx, "duplicate", "event_id", ev.EventID, "record", where)
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

type shipmentArrived struct {
	EventID  string `json:"event_id"`
	Shipment string `json:"shipment"`
}

// arrivalDesk: has a helper that formats the coordinates, but hands the gate's helper the payload's id.
type arrivalDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func arrivalWhere(m kafka.Message) string {
	return m.Topic + "/" + strconv.Itoa(m.Partition) + "/" + strconv.FormatInt(m.Offset, 10)
}

func claimArrival(ctx context.Context, tx pgx.Tx, id, group string) (bool, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, group)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

func (d *arrivalDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.handle(ctx, msg); err != nil {
			return fmt.Errorf("record %s: %w", arrivalWhere(msg), err)
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *arrivalDesk) handle(ctx context.Context, msg kafka.Message) error {
	var ev shipmentArrived
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		first, err := claimArrival(ctx, tx, ev.EventID, "tracking")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO tracking_steps (shipment, step) VALUES ($1, 'arrived')", ev.Shipment)
		return err
	})
}

type invoiceVoided struct {
	EventID string `json:"event_id"`
	Invoice string `json:"invoice"`
}

// voidDesk: the hash is taken of the payload's event id and the topic; neither is a position in a log.
type voidDesk struct {
	reader *kafka.Reader
	db     *sql.DB
}

func (d *voidDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.void(ctx, msg); err != nil {
			return err
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *voidDesk) void(ctx context.Context, msg kafka.Message) error {
	var ev invoiceVoided
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s", msg.Topic, ev.EventID))
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", hex.EncodeToString(sum[:]), "voids")
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
	if _, err := tx.ExecContext(ctx, "UPDATE invoices SET open_count = open_count - 1 WHERE id = $1", ev.Invoice); err != nil {
		return err
	}
	return tx.Commit()
}

type creditGranted struct {
	EventID string `json:"event_id"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// creditDesk: topic, partition and offset stand in the dedup row, but as columns beside the key, to find the record later.
type creditDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *creditDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev creditGranted
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group, topic, kafka_partition, kafka_offset) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (event_id, consumer_group) DO NOTHING", ev.EventID, "credits", msg.Topic, msg.Partition, msg.Offset)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE accounts SET cents = cents + $2 WHERE id = $1", ev.Account, ev.Cents)
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

type orderPacked struct {
	EventID string `json:"event_id"`
	OrderID int64  `json:"order_id"`
}

// packDesk: the offset is an observability column of the business row; the gate before it asks for the event id.
type packDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *packDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev orderPacked
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "packing")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO packed_orders (order_id, source_partition, source_offset) VALUES ($1, $2, $3)", ev.OrderID, msg.Partition, msg.Offset)
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

var errNoEventID = errors.New("record without event_id")

type parcelWeighed struct {
	EventID string `json:"event_id"`
	Parcel  string `json:"parcel"`
	Grams   int    `json:"grams"`
}

// weighDesk: a failed record is filed in an error table under its coordinates; that table stops nothing, the gate is the event id.
type weighDesk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (d *weighDesk) Run(ctx context.Context) error {
	for {
		msg, err := d.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := d.weigh(ctx, msg); err != nil {
			if err := d.fileError(ctx, msg, err); err != nil {
				return err
			}
		}
		if err := d.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (d *weighDesk) weigh(ctx context.Context, msg kafka.Message) error {
	var ev parcelWeighed
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	if ev.EventID == "" {
		return errNoEventID
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "weights")
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE parcels SET total_grams = total_grams + $2 WHERE id = $1", ev.Parcel, ev.Grams)
		return err
	})
}

func (d *weighDesk) fileError(ctx context.Context, msg kafka.Message, cause error) error {
	_, err := d.pool.Exec(ctx, "INSERT INTO consumer_errors (topic, partition, kafka_offset, body, error) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (topic, partition, kafka_offset) DO NOTHING", msg.Topic, msg.Partition, msg.Offset, msg.Value, cause.Error())
	return err
}
