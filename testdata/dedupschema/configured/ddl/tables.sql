CREATE TABLE scan_dedup (event_id UUID PRIMARY KEY, consumer TEXT NOT NULL);
