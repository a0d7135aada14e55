package onconflict

// Doc is the rule's manual.
const Doc = `report dedup inserts without ON CONFLICT DO NOTHING (R-KFK-IDEM-2)

The dedup gate is one statement: INSERT … ON CONFLICT DO NOTHING (PostgreSQL,
SQLite), INSERT IGNORE or a no-op ON DUPLICATE KEY UPDATE (MySQL), MERGE … WHEN
NOT MATCHED elsewhere. Its row count, or its RETURNING row, says whether the
event is new; two deliveries at once wait for each other on the key.

The rule reports, in every SQL layer that it knows,

  - a plain INSERT into a dedup table;
  - SELECT first and INSERT after: both deliveries read "not there";
  - catching the unique violation: in PostgreSQL it aborts the transaction;
  - ON CONFLICT DO UPDATE whose row count is taken for an answer.

It offers to add the clause where the SQL is a literal.

Bad:

	_, err := tx.Exec(ctx, "INSERT INTO processed_event (event_id) VALUES ($1)", ev.EventID)

Good:

	tag, err := tx.Exec(ctx,
		"INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT (event_id) DO NOTHING", ev.EventID)

Which tables record event ids is known by name (processed_events, inbox,
processed_messages and the like, with any prefix); dedup-tables adds yours.`
