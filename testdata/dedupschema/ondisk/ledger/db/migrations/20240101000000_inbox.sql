-- migrate:up
CREATE TABLE consumer_inbox (
  event_id uuid not null,
  consumer_group text not null,
  at timestamptz not null default now()
);

-- migrate:down
DROP TABLE consumer_inbox;
