// Package consumer takes Kafka records through a store of package idem: decode, find the
// event's id, process it once, retry, dead-letter, and only then acknowledge. It knows no
// client. Each client has a module of its own next to it, which polls and acknowledges:
// franz (twmb/franz-go), kafkago (segmentio/kafka-go), sarama (IBM/sarama), confluent
// (confluent-kafka-go) and watermill.
//
//	processor, err := consumer.New(consumer.Config[pgx.Tx, OrderPaid]{
//		Store:  store,
//		Group:  "billing",
//		Decode: decodeOrderPaid,
//		ID:     func(e OrderPaid) string { return e.EventID },
//		Handle: func(ctx context.Context, tx pgx.Tx, e OrderPaid) error {
//			return charge(ctx, tx, e)
//		},
//		DeadLetter: sendToDeadLetterTopic,
//	})
//
// # What becomes of a record
//
//   - Processed, or a duplicate: it is settled.
//   - Not decodable, without an id, or with an id that the store refuses (too old, too new,
//     no UUID of version 7): a retry cannot help. It goes to DeadLetter at once.
//   - The handler fails: it is tried again in place, since the records behind it may depend
//     on it, and goes to DeadLetter after MaxAttempts failures. The same holds when the
//     commit fails, where deferred constraints and queued statements speak.
//   - The database, or something else that the handler needs, is out of reach: that says
//     nothing about the record, and every other one would fail too. It is tried again
//     without end, so an outage delays the partition and does not empty it into the
//     dead-letter topic.
//   - DeadLetter fails: nothing is settled, and the consumer stops with the error. The
//     record comes again when it is started again.
//   - The consumer is stopped, or loses the partition: the attempt in hand may end within
//     Grace, no other is begun. What is not settled comes again, to whoever owns the
//     partition then.
//
// An adapter acknowledges settled records alone, after their transaction. A crash between
// the two, a rebalance or an offset reset delivers them again, as duplicates.
//
// # The database, or the record?
//
// An error before Handle was called comes from the store's own first statement, which knows
// no more of the record than its id. That is always the database: out of reach, read-only,
// without the table, or without the partition that maintenance should have made. An error
// of Handle or of the commit may be either; [Config].Classify decides, by default
// [Classify], which takes broken connections and a database that gives up for reasons of
// load or timing for outages, and everything else for the record's fault.
//
// A panic in Handle passes through, after a rollback. It is not counted, and nothing is
// acknowledged: the process ends, and meets the record again.
package consumer
