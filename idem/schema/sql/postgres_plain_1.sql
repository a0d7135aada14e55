-- COLLATE "C" compares bytes: it is quicker, and the index survives an upgrade of the
-- operating system's collations.
CREATE TABLE IF NOT EXISTS {{table}} (
    event_id       text COLLATE "C" NOT NULL,
    consumer_group text COLLATE "C" NOT NULL,
    processed_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (event_id, consumer_group)
);
CREATE INDEX IF NOT EXISTS {{name}}_processed_at ON {{table}} (processed_at);
