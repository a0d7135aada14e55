// Package idem makes a Kafka consumer idempotent: it records each event's id in the
// transaction that does the event's work, so that a redelivery (a rebalance before the
// acknowledgement, a replay from the dead-letter topic, an offset reset) finds the record
// and does nothing.
//
// A [Store] works through a [Driver]: package idempgx has the one for pgx, package idemsql
// the one for database/sql. [Store.Process] runs an event's work in a transaction of its
// own, [Store.ProcessBatch] that of a whole poll, and [Store.TryMarkProcessed] is for a
// transaction that the caller has opened. A consumer acknowledges a record when the event
// was processed or is a duplicate, and puts it into quarantine when it is refused.
//
// # What is guaranteed
//
// What the work writes in the transaction is there once for each event and group, however
// often and wherever the event is delivered, as long as the table remembers it. What the
// work does elsewhere, a call of a payment provider above all, the transaction cannot undo:
// that needs an Idempotency-Key or an outbox, see package money and package outbox.
//
// # What is remembered
//
// On the partitioned schema of PostgreSQL, the default, the table remembers an event for
// [Config].Retention after its id was made. After that it is refused, and not processed a
// second time: its partition is gone, and there is no other that takes it. That is why the
// ids must be UUIDs of version 7, which begin with their time, see package eventid. On the
// plain schema an id is any text; what was forgotten there is processed again.
package idem
