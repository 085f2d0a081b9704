-- key_striped: row_lease, but every key is one of sixteen.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE key_striped (
  lock_key VARCHAR(8) PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM key_striped WHERE lock_key = CONCAT('s', CRC32(@key) % 16) AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO key_striped (lock_key, owner, expires_at)
VALUES (CONCAT('s', CRC32(@key) % 16), @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: renew
UPDATE key_striped SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = CONCAT('s', CRC32(@key) % 16) AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM key_striped WHERE lock_key = CONCAT('s', CRC32(@key) % 16) AND owner = @owner;
