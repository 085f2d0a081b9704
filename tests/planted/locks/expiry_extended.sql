-- expiry_extended: row_lease, but for the renewal.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE expiry_extended (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM expiry_extended WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO expiry_extended (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: renew
UPDATE expiry_extended SET expires_at = expires_at + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM expiry_extended WHERE lock_key = @key AND owner = @owner;
