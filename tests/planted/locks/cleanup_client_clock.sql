-- cleanup_client_clock: row_lease, and a clean-up of all keys.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000, @now_us = 1900000000000000;

-- name: schema
CREATE TABLE cleanup_client_clock (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM cleanup_client_clock WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO cleanup_client_clock (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: renew
UPDATE cleanup_client_clock SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM cleanup_client_clock WHERE lock_key = @key AND owner = @owner;

-- name: clean_up
DELETE FROM cleanup_client_clock WHERE expires_at < '1970-01-01' + INTERVAL @now_us MICROSECOND;
