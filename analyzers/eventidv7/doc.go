package eventidv7

// Doc is the rule's manual.
const Doc = `report event ids that are not UUID version 7 (R-KFK-IDEM-1)

Every consumer inserts the event id into its processed_event table, which keeps
it as the primary key. A UUID v7 begins with 48 bits of time: each insert goes to
the right edge of the B-tree, and events sort by time without another index. A
v4 UUID is random: each insert hits another page of an index that soon does not
fit into memory.

The rule reports an event id that the code generates by another call than the
library's v7: versions 1 to 6, ULID, KSUID, xid, nanoid, random bytes, and
gen_random_uuid() in the INSERT of an outbox. The value is followed through
variables, struct literals, setters, maps, String() and helpers, in other
packages too.

Bad:

	ev := PaymentCaptured{EventID: uuid.NewString(), Type: "payment.captured", OccurredAt: now}

Good:

	ev := PaymentCaptured{EventID: uuid.Must(uuid.NewV7()).String(), Type: "payment.captured", OccurredAt: now}

Not reported: ids of requests, orders, traces and other entities; an EventID that
names a concert; a v4 in the error branch of NewV7; ids whose origin cannot be
seen. With -fix the call of google/uuid, gofrs/uuid and the standard uuid package
becomes that library's v7.`
