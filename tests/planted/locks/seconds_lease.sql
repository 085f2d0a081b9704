-- seconds_lease, sound: row_lease with leases of whole seconds.
SET @key = 'orders', @owner = '6f1c', @ttl_s = 2;

-- name: schema
CREATE TABLE seconds_lease (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM seconds_lease WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO seconds_lease (lock_key, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_s SECOND);

-- name: renew
UPDATE seconds_lease SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_s SECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM seconds_lease WHERE lock_key = @key AND owner = @owner;
