-- upsert_counts_rows: upsert_row without the look whose row it is.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE upsert_counts_rows (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: acquire
INSERT INTO upsert_counts_rows (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND)
ON DUPLICATE KEY UPDATE
  owner = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(owner), owner),
  expires_at = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(expires_at), expires_at);

-- name: renew
UPDATE upsert_counts_rows SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM upsert_counts_rows WHERE lock_key = @key AND owner = @owner;
