-- who has seen what
CREATE TABLE processed_events (
  id       BIGSERIAL PRIMARY KEY,
  event_id UUID NOT NULL
);
CREATE INDEX ON processed_events (event_id);
