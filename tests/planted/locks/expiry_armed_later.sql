-- expiry_armed_later: row_lease, but for the acquire, which has two statements.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE expiry_armed_later (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM expiry_armed_later WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO expiry_armed_later (lock_key, owner) VALUES (@key, @owner);

-- name: renew
UPDATE expiry_armed_later SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM expiry_armed_later WHERE lock_key = @key AND owner = @owner;

-- name: arm
UPDATE expiry_armed_later SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND
WHERE lock_key = @key AND owner = @owner;
