CREATE TABLE IF NOT EXISTS {{table}} (
    event_id       TEXT NOT NULL,
    consumer_group TEXT NOT NULL,
    processed_at   INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)), -- seconds since 1970
    PRIMARY KEY (event_id, consumer_group)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS {{name}}_processed_at ON {{table}} (processed_at);
