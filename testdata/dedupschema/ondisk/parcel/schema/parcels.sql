CREATE TABLE parcels (id TEXT, message_id TEXT);
