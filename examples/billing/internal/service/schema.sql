-- A row for each charge and each refund. Nothing here keeps an event from being written
-- twice: that is what the dedup table is for, in the same transaction.
CREATE TABLE IF NOT EXISTS charge (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    order_id text NOT NULL,
    customer text NOT NULL,
    cents    bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS refund (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    order_id text NOT NULL,
    cents    bigint NOT NULL
);
