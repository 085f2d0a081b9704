-- session_zone: row_lease with NOW() in place of UTC_TIMESTAMP().
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE session_zone (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM session_zone WHERE lock_key = @key AND expires_at <= NOW(6);

-- name: acquire
INSERT INTO session_zone (lock_key, owner, expires_at)
VALUES (@key, @owner, NOW(6) + INTERVAL @ttl_us MICROSECOND);

-- name: renew
UPDATE session_zone SET expires_at = NOW(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > NOW(6);

-- name: release
DELETE FROM session_zone WHERE lock_key = @key AND owner = @owner;
