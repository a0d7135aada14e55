ALTER TABLE inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (event_id, consumer_group);
