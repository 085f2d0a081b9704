"""Lock files that lock_file_test.py tries; the others are on the page about lock files."""

# A lease that is inserted, or taken over when it is over.
INSERT_OR_TAKE = """-- lease: server
-- about: the row is inserted, or taken over when its lease is over
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE insert_or_take (
  lock_key VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO insert_or_take (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: take_over
-- of: acquire
-- granted when: affected = 1
UPDATE insert_or_take SET owner = @owner, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND
WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
DELETE FROM insert_or_take WHERE lock_key = @key AND owner = @owner;
"""

# A transaction in which the row is locked, read and taken.
FOR_UPDATE = """-- lease: server
-- about: the row is locked, looked at and taken in one transaction
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE for_update (
  lock_key VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: begin
-- of: acquire
START TRANSACTION;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: row
-- of: acquire
INSERT INTO for_update (lock_key, owner, expires_at) VALUES (@key, NULL, UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE lock_key = lock_key;

-- name: look
-- of: acquire
-- busy when: value = 0
SELECT owner IS NULL OR expires_at <= UTC_TIMESTAMP(6) FROM for_update WHERE lock_key = @key FOR UPDATE;

-- name: acquire
-- granted when: affected = 1
UPDATE for_update SET owner = @owner, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND
WHERE lock_key = @key;

-- name: release
-- done when: affected > 0
UPDATE for_update SET owner = NULL WHERE lock_key = @key AND owner = @owner;
"""

# Sound: a row whose lease is over is cleared; where the query finds no row, it has no value that could be 0.
LOOK_FIRST = """-- lease: server

-- name: schema
CREATE TABLE look_first (
  lock_key VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: look
-- of: acquire
-- busy when: value = 0
SELECT expires_at <= UTC_TIMESTAMP(6) FROM look_first WHERE lock_key = @key;

-- name: clear
-- of: acquire
DELETE FROM look_first WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO look_first (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
DELETE FROM look_first WHERE lock_key = @key AND owner = @owner;
"""

IN_SMALL_LETTERS = """-- lease: server

-- name: schema
CREATE TABLE pg_begin (lock_key TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at TIMESTAMPTZ NOT NULL);

-- name: begin
-- of: acquire, release
begin;

-- name: commit
commit;

-- name: rollback
rollback;

-- name: acquire
-- granted when: affected = 1
INSERT INTO pg_begin (lock_key, owner, expires_at)
VALUES (:'key', :'owner', clock_timestamp() + :'ttl_ms'::integer * INTERVAL '1 ms')
ON CONFLICT (lock_key) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
WHERE pg_begin.expires_at <= clock_timestamp();

-- name: release
-- done when: affected > 0
DELETE FROM pg_begin WHERE lock_key = :'key' AND owner = :'owner';
"""


# The rows of PostgreSQL have numbers, which a sequence counts.
NUMBERED = """-- lease: server
\\set key orders
\\set owner 6f1c
\\set ttl_us 2000000

-- name: schema
CREATE TABLE numbered (
  id bigserial PRIMARY KEY,
  lock_key text NOT NULL UNIQUE,
  owner text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX ON numbered (lock_key);

-- name: expire
-- of: acquire
DELETE FROM numbered WHERE lock_key = :'key' AND expires_at <= clock_timestamp();

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO numbered (lock_key, owner, expires_at)
VALUES (:'key', :'owner', clock_timestamp() + :ttl_us * interval '1 microsecond');

-- name: release
-- done when: affected > 0
DELETE FROM numbered WHERE lock_key = :'key' AND owner = :'owner';
"""

# A value that is compared before it is deleted, on Redis.
OWN_TOKEN = """# lease: server
key=orders owner=6f1c ttl_ms=2000

# name: acquire
# granted when: reply = OK
redis-cli SET "$key" "$owner" NX PX "$ttl_ms"

# name: release
# done when: value = 1
redis-cli EVAL '
  if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end
' 1 "$key" "$owner"
"""
