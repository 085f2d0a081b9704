-- token_restarts: token_row, but for the release.
SET @key = 'orders', @owner = '6f1c', @token = 1, @ttl_us = 2000000;

-- name: schema
CREATE TABLE token_restarts (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
  token BIGINT UNSIGNED NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  writes BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: acquire
INSERT INTO token_restarts (lock_key, owner, token, expires_at)
VALUES (@key, @owner, 1, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND)
ON DUPLICATE KEY UPDATE
  writes = writes + (owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6)),
  token = token + (owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6)),
  owner = IF(owner IS NULL OR owner = VALUES(owner) OR expires_at <= UTC_TIMESTAMP(6), VALUES(owner), owner),
  expires_at = IF(owner = VALUES(owner), VALUES(expires_at), expires_at);

-- name: token
SELECT token FROM token_restarts WHERE lock_key = @key AND owner = @owner;

-- name: renew
UPDATE token_restarts
SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, writes = writes + 1
WHERE lock_key = @key AND owner = @owner AND token = @token AND expires_at > UTC_TIMESTAMP(6);

-- name: release
DELETE FROM token_restarts WHERE lock_key = @key AND owner = @owner AND token = @token;
