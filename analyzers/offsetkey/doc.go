package offsetkey

// Doc is the rule's manual.
const Doc = `report Kafka offsets that serve as dedup keys (R-KFK-IDEM-X2)

The offset is a position in the log of one topic partition, not the name of an
event. A replay through another topic, a mirrored or recreated topic, or a second
publish by the outbox gives the same event another offset; and another event the
same one. The dedup key is the event id that the producer put into the payload.

The rule reports a value computed from a record's offset, also as the fallback
when an id is missing, where it becomes the key of a gate, a dedup table's row, a
Redis SETNX, a map of seen ids or an Idempotency-Key, and a comparison with a
remembered offset that skips the record.

Bad:

	key := fmt.Sprintf("%s-%d-%d", m.Topic, m.Partition, m.Offset)
	tag, err := tx.Exec(ctx, insertProcessed, key, "billing")

Good:

	tag, err := tx.Exec(ctx, insertProcessed, ev.EventID, "billing")

Not reported: offsets in logs, metrics, traces, seeks, commits, dead-letter
metadata, error tables and columns that are not the key.`
