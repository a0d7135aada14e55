-- The upkeep of the partitioned dedup table {{table}} in SQL, for psql or pg_cron.
--
--   {{table}}_make_partitions(retention, ahead, width)
--       makes the partitions that are missing up to now + ahead and returns how many. Run
--       it every hour; when partitions run out, every event is refused.
--   {{table}}_next_detach(retention)
--       returns the statement that detaches the oldest partition which is out of the
--       retention, or NULL. It cannot run the statement itself: PostgreSQL allows DETACH
--       CONCURRENTLY neither in a function nor in a transaction, and the DETACH that it
--       allows there locks the table against every consumer.
--   {{table}}_drop_detached(grace)
--       drops the tables that were detached longer ago than grace and returns how many.
--
-- In psql, which runs each result of \gexec outside of a transaction:
--
--   SELECT {{table}}_make_partitions('8 days', '3 days');
--   SELECT {{table}}_next_detach('8 days') \gexec
--   SELECT {{table}}_drop_detached('3 days');
--
-- In pg_cron, which runs a command of one statement outside of a transaction, one job
-- writes the next one's command:
--
--   SELECT cron.schedule('idem-make', '7 * * * *', $$SELECT {{table}}_make_partitions('8 days', '3 days')$$);
--   SELECT cron.schedule('idem-plan', '17 * * * *', $$SELECT cron.schedule('idem-detach', '27 * * * *',
--       coalesce({{table}}_next_detach('8 days'), 'SELECT 1'))$$);
--   SELECT cron.schedule('idem-drop', '37 * * * *', $$SELECT {{table}}_drop_detached('3 days')$$);
--
-- The retention is the store's Config.Retention, plus its Skew.

CREATE OR REPLACE FUNCTION {{table}}_bound(t timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$
    SELECT rpad(lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

CREATE OR REPLACE FUNCTION {{table}}_partitions(OUT partition regclass, OUT lower_bound uuid, OUT upper_bound uuid, OUT pending boolean)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass,
           substring(e.bounds FROM 'FROM \(''([0-9a-f-]+)''\)')::uuid,
           substring(e.bounds FROM 'TO \(''([0-9a-f-]+)''\)')::uuid,
           i.inhdetachpending
    FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) e(bounds)
    WHERE i.inhparent = '{{table}}'::regclass
    ORDER BY 3
$$;

CREATE OR REPLACE FUNCTION {{table}}_make_partitions(retention interval, ahead interval, width interval DEFAULT '1 day')
RETURNS integer LANGUAGE plpgsql SET lock_timeout = '5s' SET timezone = 'UTC' AS $$
DECLARE
    origin  constant timestamptz := '2000-01-01';
    oldest  timestamptz := date_bin(width, now() - retention, origin);
    last_id uuid;
    low     timestamptz;
    high    timestamptz;
    name    text;
    made    integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('idem upkeep {{table}}', 0)) THEN
        RETURN 0; -- another runner is at work
    END IF;
    IF EXISTS (SELECT FROM {{table}}_partitions() WHERE upper_bound IS NULL) THEN
        RAISE EXCEPTION 'a partition of {{table}} has no upper bound; a DEFAULT partition takes in again what was processed and forgotten: detach it';
    END IF;
    -- A partition is made only ahead of those that are there: made again after its rows
    -- were removed, it would let its events be processed a second time.
    SELECT max(upper_bound::text)::uuid INTO last_id FROM {{table}}_partitions();
    IF last_id IS NOT NULL THEN
        low := to_timestamp(('x' || left(replace(last_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
        low := greatest(low, oldest);
    ELSIF EXISTS (SELECT FROM {{table}}_detached()) THEN
        low := date_bin(width, now(), origin);
    ELSE
        low := oldest;
    END IF;
    WHILE low < now() + ahead LOOP
        high := date_bin(width, low, origin) + width;
        name := '{{table}}_p' || to_char(low, 'YYYYMMDDHH24');
        -- Not CREATE TABLE … PARTITION OF: that locks the table against every consumer,
        -- and waits for the longest transaction before.
        EXECUTE format('CREATE TABLE %s (LIKE {{table}} INCLUDING ALL)', name);
        EXECUTE format('ALTER TABLE {{table}} ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
                       name, {{table}}_bound(low), {{table}}_bound(high));
        made := made + 1;
        low := high;
    END LOOP;
    RETURN made;
END
$$;

CREATE OR REPLACE FUNCTION {{table}}_next_detach(retention interval)
RETURNS text LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE
    oldest record;
BEGIN
    SELECT * INTO oldest FROM {{table}}_partitions()
    WHERE pending OR upper_bound <= {{table}}_bound(now() - retention)
    ORDER BY pending DESC, upper_bound LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF oldest.pending THEN -- a detachment was interrupted, and no other may begin before its end
        RETURN format('ALTER TABLE {{table}} DETACH PARTITION %s FINALIZE', oldest.partition);
    END IF;
    -- How drop_detached knows the table later.
    EXECUTE format('COMMENT ON TABLE %s IS %L', oldest.partition,
                   'idem: detached from {{table}} at ' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));
    RETURN format('ALTER TABLE {{table}} DETACH PARTITION %s CONCURRENTLY', oldest.partition);
END
$$;

CREATE OR REPLACE FUNCTION {{table}}_detached(OUT detached regclass, OUT since timestamptz)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, replace(d.description, 'idem: detached from {{table}} at ', '')::timestamptz
    FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
    WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0
      AND c.relkind = 'r' AND NOT c.relispartition
      AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '{{table}}'::regclass)
      AND starts_with(d.description, 'idem: detached from {{table}} at ')
$$;

CREATE OR REPLACE FUNCTION {{table}}_drop_detached(grace interval)
RETURNS integer LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE
    old     record;
    dropped integer := 0;
BEGIN
    FOR old IN SELECT * FROM {{table}}_detached() WHERE since <= now() - grace LOOP
        EXECUTE format('DROP TABLE %s', old.detached);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
