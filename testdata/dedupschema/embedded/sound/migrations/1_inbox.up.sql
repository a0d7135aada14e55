CREATE TABLE inbox (
    event_id       UUID        NOT NULL,
    consumer_group TEXT        NOT NULL,
    received_at    TIMESTAMPTZ NOT NULL DEFAULT now()
);
