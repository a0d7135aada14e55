package deduptx

// Doc is the rule's manual.
const Doc = `report dedup gates outside the transaction of the work (R-KFK-IDEM-3)

The row that says "processed" and the business result stand or fall together. If
the gate is durable on its own and the work fails after it, the next delivery is
taken for a duplicate and the event is lost. If the gate comes in a transaction
of its own after the work, a crash between the two does the work twice.

The rule compares the database handle of the gate with that of each write which
the gate guards, through transactions passed as parameters, carried in a context,
opened by closures or bound to repositories, and reports

  - a gate on the pool, in Redis or in memory while the work is a database write;
  - a write in another transaction, or on the pool inside the closure;
  - a write after the commit, or in a goroutine that outlives the transaction;
  - a record acknowledged before the commit, by a call or by the read itself.

Bad:

	first, err := c.store.TryMarkProcessed(ctx, ev.EventID, "billing") // on the pool
	if err != nil || !first {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error { return c.charge(ctx, tx, ev) })

Good:

	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		first, err := c.store.TryMarkProcessed(ctx, tx, ev.EventID, "billing")
		if err != nil || !first {
			return err
		}
		return c.charge(ctx, tx, ev)
	})

Not reported: handles whose origin cannot be seen.`
