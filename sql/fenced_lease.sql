-- fenced_lease, the reference: one guarded upsert by the server's clock, and a token that rises with each grant.
-- `writes` makes every renewal a changed row, so that both connection modes count it.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @token = 1, @ttl_us = 2000000;

-- Keys and owners are bytes, so that no two of them are taken for one.
-- name: schema
-- from: ours
-- why: the reference
CREATE TABLE fenced_lease (
  lock_key VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NULL,
  token BIGINT UNSIGNED NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  writes BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- The row is free when nobody owns it or its lease is over; its own owner may take it again (after a lost reply).
-- Assignments run from left to right and see what those before them wrote: once `owner` is set, it tells the outcome.
-- name: acquire
-- from: ours
-- why: the reference
INSERT INTO fenced_lease (lock_key, owner, token, expires_at)
VALUES (@key, @owner, 1, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND)
ON DUPLICATE KEY UPDATE
  writes = writes + (owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6)),
  token = token + (owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6)),
  owner = IF(owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6), VALUES(owner), owner),
  expires_at = IF(owner = VALUES(owner), VALUES(expires_at), expires_at);

-- name: token
-- from: ours
-- why: the reference
SELECT token FROM fenced_lease WHERE lock_key = @key AND owner = @owner;

-- name: renew
-- from: ours
-- why: the reference
UPDATE fenced_lease
SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, writes = writes + 1
WHERE lock_key = @key AND owner = @owner AND token = @token AND expires_at > UTC_TIMESTAMP(6);

-- name: release
-- from: ours
-- why: the reference
UPDATE fenced_lease SET owner = NULL, writes = writes + 1
WHERE lock_key = @key AND owner = @owner AND token = @token;
