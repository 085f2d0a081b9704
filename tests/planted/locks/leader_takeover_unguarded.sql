-- leader_takeover_unguarded: leader_row, but for the take-over.
SET @key = 'orders', @owner = '6f1c', @seen = 1, @version = 2, @ttl_us = 2000000;

-- name: schema
CREATE TABLE leader_takeover_unguarded (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  leader VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  version BIGINT UNSIGNED NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  beats BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: read
SELECT version, expires_at <= UTC_TIMESTAMP(6) FROM leader_takeover_unguarded WHERE lock_key = @key;

-- name: found
INSERT INTO leader_takeover_unguarded (lock_key, leader, version, expires_at)
VALUES (@key, @owner, 1, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: take_over
UPDATE leader_takeover_unguarded
SET leader = @owner, version = version + 1, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND
WHERE lock_key = @key;

-- name: beat
UPDATE leader_takeover_unguarded
SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, beats = beats + 1
WHERE lock_key = @key AND leader = @owner AND version = @version AND expires_at > UTC_TIMESTAMP(6);
