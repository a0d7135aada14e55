-- +goose Up
-- The rows of a day go with their partition.
CREATE TABLE inbox (
    event_id    UUID        NOT NULL,
    topic       TEXT        NOT NULL,
    received_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (event_id, received_at)
) PARTITION BY RANGE (received_at);

-- +goose Down
DROP TABLE inbox;
