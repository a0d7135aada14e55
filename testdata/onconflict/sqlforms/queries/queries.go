// Package queries holds the texts that another package runs; nothing is run here, so nothing is found here.
package queries

// Table is the dedup table's name.
const Table = "processed_events"

// Mark is a plain INSERT.
const Mark = `INSERT INTO processed_events (event_id) VALUES ($1)`

// Claim is an INSERT with the clause.
const Claim = `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`

// DoNothing is the clause alone.
const DoNothing = ` ON CONFLICT DO NOTHING`
