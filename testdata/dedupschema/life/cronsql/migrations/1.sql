CREATE TABLE cron_processed_event (
    event_id       UUID NOT NULL,
    consumer_group TEXT NOT NULL,
    processed_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (event_id, consumer_group)
);
SELECT cron.schedule('prune', '0 3 * * *', $$DELETE FROM cron_processed_event WHERE processed_at < now() - interval '14 days'$$);
