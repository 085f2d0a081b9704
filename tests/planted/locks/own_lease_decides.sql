-- own_lease_decides: row_lease with the time of the grant in place of the expiry.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE own_lease_decides (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  taken_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM own_lease_decides
WHERE lock_key = @key AND taken_at + INTERVAL @ttl_us MICROSECOND <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO own_lease_decides (lock_key, owner, taken_at) VALUES (@key, @owner, UTC_TIMESTAMP(6));

-- name: renew
UPDATE own_lease_decides SET taken_at = UTC_TIMESTAMP(6), renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND taken_at + INTERVAL @ttl_us MICROSECOND > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM own_lease_decides WHERE lock_key = @key AND owner = @owner;
