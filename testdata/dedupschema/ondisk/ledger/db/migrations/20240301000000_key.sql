-- migrate:up
CREATE UNIQUE INDEX consumer_inbox_once ON consumer_inbox (event_id, consumer_group);

-- migrate:down
DROP INDEX consumer_inbox_once;
