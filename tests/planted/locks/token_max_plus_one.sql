-- token_max_plus_one: row_lease with a token.
SET @key = 'orders', @owner = '6f1c', @token = 1, @ttl_us = 2000000;

-- name: schema
CREATE TABLE token_max_plus_one (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  token BIGINT UNSIGNED NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM token_max_plus_one WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO token_max_plus_one (lock_key, owner, token, expires_at)
VALUES (@key, @owner, @token, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: renew
UPDATE token_max_plus_one SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = @owner AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM token_max_plus_one WHERE lock_key = @key AND owner = @owner;

-- name: next_token
SELECT COALESCE(MAX(token), 0) + 1 FROM token_max_plus_one;
