CREATE TABLE IF NOT EXISTS processed_event (
    event_id       uuid        NOT NULL,
    consumer_group text        NOT NULL,
    processed_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (event_id, consumer_group)
);

CREATE INDEX IF NOT EXISTS ix_processed_event_processed_at ON processed_event (processed_at);

CREATE TABLE IF NOT EXISTS ledger_entries (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id  text        NOT NULL,
    kind      text        NOT NULL,
    cents     bigint      NOT NULL,
    booked_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS event_outbox (
    event_id uuid  PRIMARY KEY,
    payload  jsonb NOT NULL
);

CREATE TABLE IF NOT EXISTS payment_outbox (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_key text        NOT NULL UNIQUE,
    order_id    text        NOT NULL,
    cents       bigint      NOT NULL,
    sent_at     timestamptz,
    refused     text
);
