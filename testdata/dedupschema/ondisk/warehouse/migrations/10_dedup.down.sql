DROP TABLE processed_events;
