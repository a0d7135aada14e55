package dedupschema

// Doc is the rule's manual.
const Doc = `report dedup tables whose key or lifetime is wrong (R-KFK-IDEM-2)

The table behind the dedup gate needs a unique event id for each consumer group,
and an end to each row's life. The rule reads CREATE TABLE, ALTER TABLE and CREATE
UNIQUE INDEX in string literals, in the .sql files that a package embeds, in the
directories that the setting "migrations" names, else in the usual places beside
the code (migrations, db/migrations, schema.sql and the like), the tags of gorm and
bun models that the program migrates, and the schema types of ent. It reports

  - a table without a primary key or unique constraint on the event id;
  - a table that records the consumer group, with a key that does not hold it:
    the second group's event is taken for a duplicate;
  - a key that holds a column which differs at each delivery, as processed_at
    with a default of now(): the same event id is accepted again;
  - for a whole program, in package main: no TTL. Neither range partitions nor a
    job that removes old rows and that something calls.

Bad:

	CREATE TABLE processed_event (
	    event_id       UUID NOT NULL,
	    consumer_group TEXT NOT NULL,
	    processed_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
	    PRIMARY KEY (event_id, processed_at)
	) PARTITION BY RANGE (processed_at);

Good:

	CREATE TABLE processed_event (
	    event_id       UUID NOT NULL, -- version 7
	    consumer_group TEXT NOT NULL,
	    processed_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
	    PRIMARY KEY (event_id, consumer_group)
	) PARTITION BY RANGE (event_id);

A finding about a file stands in Go code: at the go:embed line, or at the insert
into the table; the text names the file and the line. "idemlint sql DIR" checks a
directory of SQL files by itself.`
