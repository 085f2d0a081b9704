-- upsert_wrong_order: upsert_row with its assignments the other way round.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE upsert_wrong_order (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: acquire
INSERT INTO upsert_wrong_order (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND)
ON DUPLICATE KEY UPDATE
  expires_at = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(expires_at), expires_at),
  owner = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(owner), owner);

-- name: renew
UPDATE upsert_wrong_order SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM upsert_wrong_order WHERE lock_key = @key AND owner = @owner;
