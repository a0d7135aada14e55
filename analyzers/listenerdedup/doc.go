package listenerdedup

// Doc is the rule's manual.
const Doc = `report listeners that can do their work twice (R-KFK-IDEM-X1)

Kafka delivers at least once: a rebalance before the acknowledgement, a replay
from the dead-letter topic or an offset reset brings the same event again. Every
listener checks the event id before it changes anything, and returns when it was
there already. "It usually fires once" is the reasoning before the incident with
the double charge.

The rule follows a record from the client's call to every write, request and
publish that it leads to, through helpers, interfaces, closures and packages,
and reports the effects that are done again when the gates on the way answer
"duplicate".

Bad:

	func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
		var ev OrderConfirmed
		if err := json.Unmarshal(m.Value, &ev); err != nil {
			return err
		}
		_, err := c.db.ExecContext(ctx,
			"UPDATE accounts SET balance = balance - $1 WHERE id = $2", ev.Amount, ev.Account)
		return err
	}

Good:

	func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
		var ev OrderConfirmed
		if err := json.Unmarshal(m.Value, &ev); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx,
				"INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) "+
					"ON CONFLICT (event_id, consumer_group) DO NOTHING", ev.EventID, "billing")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx,
				"UPDATE accounts SET balance = balance - $1 WHERE id = $2", ev.Amount, ev.Account)
			return err
		})
	}

Not reported: a listener without effects; a write that a replay cannot repeat
(insert if absent under a key of the payload, a change under a status or version
guard, a delete by key; the setting strict reports these too); the sending of a
failed record to a dead-letter or retry topic; whatever cannot be seen.`
