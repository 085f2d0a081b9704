-- expiry_client_clock: row_lease with times that the client brings.
SET @key = 'orders', @owner = '6f1c', @now_us = 1900000000000000, @expires_us = 1900000002000000;

-- name: schema
CREATE TABLE expiry_client_clock (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  expires_us BIGINT NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM expiry_client_clock WHERE lock_key = @key AND expires_us <= @now_us;

-- name: acquire
INSERT INTO expiry_client_clock (lock_key, owner, expires_us) VALUES (@key, @owner, @expires_us);

-- name: renew
UPDATE expiry_client_clock SET expires_us = @expires_us, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_us > @now_us;

-- name: release
DELETE FROM expiry_client_clock WHERE lock_key = @key AND owner = @owner;
