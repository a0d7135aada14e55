-- The calls that events cause, each written in the transaction of its event and sent
-- afterwards.
CREATE TABLE idem_outbox (
	id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	event_id         text NOT NULL,
	consumer_group   text NOT NULL,
	step             text NOT NULL,
	-- What the provider knows the call by: for looking it up there.
	idempotency_key  text NOT NULL,
	kind             text NOT NULL,
	payload          bytea NOT NULL,
	state            text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'dead')),
	attempts         integer NOT NULL DEFAULT 0,
	created_at       timestamptz NOT NULL DEFAULT now(),
	-- Of a pending call: when it may be claimed. A claim moves it to the end of the
	-- worker's lease, a failure to the end of the backoff.
	due_at           timestamptz NOT NULL DEFAULT now(),
	-- When the provider may have seen the key for the first time.
	first_attempt_at timestamptz,
	-- When it became sent or dead.
	done_at          timestamptz,
	last_error       text,
	CONSTRAINT idem_outbox_call UNIQUE (event_id, consumer_group, step)
);

CREATE INDEX idem_outbox_due ON idem_outbox (due_at) WHERE state = 'pending';
CREATE INDEX idem_outbox_sent ON idem_outbox (done_at) WHERE state = 'sent';
