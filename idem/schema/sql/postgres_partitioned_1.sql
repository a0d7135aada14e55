-- The partition key is the event id itself: a key that differed from one delivery to the
-- next, such as processed_at, would let the same event into another partition. There is
-- no DEFAULT partition: it would take in again what was processed and forgotten.
CREATE TABLE IF NOT EXISTS {{table}} (
    event_id       uuid NOT NULL,
    consumer_group text COLLATE "C" NOT NULL,
    processed_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (event_id, consumer_group)
) PARTITION BY RANGE (event_id);
