// Package idem makes a Kafka consumer idempotent: it records each event's id in the
// transaction that does the event's work, so that a redelivery (a rebalance before the
// acknowledgement, a replay from the dead-letter topic, an offset reset) finds the record
// and does nothing.
package idem
