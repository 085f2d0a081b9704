-- locked_read, sound: the read locks the row, and of two inserts one is a duplicate.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE locked_read (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: begin
START TRANSACTION;

-- name: read
SELECT expires_at <= UTC_TIMESTAMP(6) FROM locked_read WHERE lock_key = @key FOR UPDATE;

-- name: insert_row
INSERT INTO locked_read (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: take_over
UPDATE locked_read
SET owner = @owner, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: renew
UPDATE locked_read SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM locked_read WHERE lock_key = @key AND owner = @owner;
