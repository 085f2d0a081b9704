-- nowait_lease_reentrant, document 003: nowait_lease with the count of entries that the document plans.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @expire_ms = 1700000000000, @read = 1700000000;

-- name: schema
CREATE TABLE nowait_lease_reentrant (
  lock_key VARCHAR(255) NOT NULL PRIMARY KEY,
  lock_owner VARCHAR(255),
  expire_at TIMESTAMP NULL,
  reentrant_count INT DEFAULT 0
) ENGINE = InnoDB;

-- name: select
SELECT lock_owner, UNIX_TIMESTAMP(expire_at) FROM nowait_lease_reentrant WHERE lock_key = @key FOR UPDATE NOWAIT;

-- name: insert
INSERT INTO nowait_lease_reentrant (lock_key, lock_owner, expire_at)
VALUES (@key, @owner, FROM_UNIXTIME(@expire_ms DIV 1000));

-- name: take_over
UPDATE nowait_lease_reentrant SET lock_owner = @owner, expire_at = FROM_UNIXTIME(@expire_ms DIV 1000)
WHERE lock_key = @key AND expire_at = FROM_UNIXTIME(@read);

-- name: enter_again
UPDATE nowait_lease_reentrant SET reentrant_count = reentrant_count + 1 WHERE lock_key = @key AND lock_owner = @owner;

-- name: leave_inner
UPDATE nowait_lease_reentrant SET reentrant_count = reentrant_count - 1
WHERE lock_key = @key AND lock_owner = @owner AND reentrant_count > 0;

-- The last one.
-- name: release
DELETE FROM nowait_lease_reentrant WHERE lock_key = @key AND lock_owner = @owner;
