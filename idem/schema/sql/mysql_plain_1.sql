-- VARBINARY compares bytes: with a text collation 'a' and 'A' may be one event, and
-- 'a' and 'a ' are one even with utf8mb4_bin. claim names the claim that inserted the
-- row, which is how a claim finds out which rows are its own.
CREATE TABLE IF NOT EXISTS {{table}} (
    event_id       VARBINARY(255) NOT NULL,
    consumer_group VARBINARY(255) NOT NULL,
    processed_at   TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    claim          BINARY(16) NOT NULL,
    PRIMARY KEY (event_id, consumer_group),
    INDEX {{name}}_processed_at (processed_at)
) ENGINE = InnoDB;
