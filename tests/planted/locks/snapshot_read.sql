-- snapshot_read: locked_read, but for the read.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE snapshot_read (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: begin
START TRANSACTION;

-- name: read
SELECT expires_at <= UTC_TIMESTAMP(6) FROM snapshot_read WHERE lock_key = @key;

-- name: insert_row
INSERT INTO snapshot_read (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: take_over
UPDATE snapshot_read
SET owner = @owner, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: renew
UPDATE snapshot_read SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM snapshot_read WHERE lock_key = @key AND owner = @owner;
