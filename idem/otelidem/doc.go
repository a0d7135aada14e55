// Package otelidem shows the stores of package idem, and the upkeep of their tables, as
// metrics and spans of OpenTelemetry.
//
// [Observer] goes into [idem.Config], and the store stays the one that it is. [OnReport]
// goes into [idempgx.Upkeep]. [Retention] asks the caller how far a group is behind. The
// providers are arguments; nothing global is read or set. Making the same twice is
// harmless: the instruments of one provider are shared, whoever makes them.
//
// # Metrics
//
// No metric carries an event id. The group is messaging.consumer.group.name, so that the
// metrics can be joined with those of the Kafka client.
//
// idem.events, a counter, {event}, by messaging.consumer.group.name and idem.outcome
// (processed, duplicate, too_old, too_new, not_v7, unknown): what became of the events. An
// event that repeats within a batch counts once. [idem.Store.TryMarkProcessed] counts
// duplicates and refusals only. Alert on
//   - any too_old: a delivery that the table cannot judge, after an offset reset or a late
//     replay; somebody must look whether it was processed;
//   - any too_new or not_v7: a producer with a wrong clock, or one that makes other ids;
//   - a rate of unknown that lasts: the work fails, or the database does;
//   - no processed while the group has lag.
//
// idem.duplicate.age, a histogram, s, by messaging.consumer.group.name: how old duplicates
// were, by the birth of their ids; without those whose id doesn't tell. Seconds and minutes
// are rebalances, hours a replay of a dead-letter topic, days an offset reset. Alert when
// the oldest come near to [idem.Config].Retention: the next ones are refused.
//
// idem.claim.duration, a histogram, s, by messaging.consumer.group.name: how long a claim
// took, from asking for a connection where the store begins the transaction. A batch makes
// one claim. What goes beyond milliseconds is a wait for another transaction that holds
// the same event. Alert when a high percentile comes near to the group's poll interval: two
// consumers own the same records, or a transaction does not end. A claim that failed is
// not in it, see idem.retries.
//
// idem.retries, a counter, {retry}, by messaging.consumer.group.name and error.type (the
// SQLSTATE or the database's own number, or "connection" for a lost one): transactions
// tried again. Alert on a rate that lasts: of 40P01, something locks the same rows in
// another order; of 40001, the isolation level is too high for the load; of 55P03, claims
// run into [idem.Config].LockTimeout; of connection, the database or the way to it is
// unstable.
//
// idem.partition.time_left, a gauge, s, by db.collection.name (the table): how long the
// partitions will last, counted down from the last report. It says nothing before the
// first one. Alert when the highest of all instances is below half of
// [idempgx.Upkeep].Ahead, or missing: the upkeep fails or does not run, and at zero no
// event is processed any more.
//
// idem.retention.time_left, a gauge, s, by messaging.consumer.group.name and
// messaging.destination.name (the topic): how much later the group may read its next record
// before the table has forgotten that event. Alert below the time that it takes to get the
// group going again, a day perhaps: below zero, records are refused unread.
//
// # Spans
//
// [idem.Store.Process] and [idem.Store.ProcessBatch] run in a span idem.process, and the
// work in its context: the statements and calls that it makes are children, if they are
// traced. It has messaging.consumer.group.name (of a batch, where all of it is of one
// group), idem.retries and, in seconds, idem.claim.duration, the time of the claims that
// succeeded; each retry is an event idem.retry with its error.type. Of a single event there
// are idem.event.id and idem.outcome; of a batch messaging.batch.message_count, and
// idem.batch.processed, idem.batch.duplicate and so on, with the number of events that had
// this outcome. The status is an error when the method returned one, which is recorded, or
// when the work panicked. A duplicate is no error.
package otelidem
