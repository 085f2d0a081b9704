-- leader_same_second: leader_row with times of whole seconds, rounded up and one more.
SET @key = 'orders', @owner = '6f1c', @seen = 1, @version = 2, @ttl_us = 2000000;

-- name: schema
CREATE TABLE leader_same_second (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  leader VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  version BIGINT UNSIGNED NOT NULL,
  expires_at DATETIME NOT NULL
) ENGINE = InnoDB;

-- name: read
SELECT version, expires_at <= UTC_TIMESTAMP(6) FROM leader_same_second WHERE lock_key = @key;

-- name: found
INSERT INTO leader_same_second (lock_key, leader, version, expires_at)
VALUES (@key, @owner, 1, UTC_TIMESTAMP() + INTERVAL (CEIL(@ttl_us / 1000000) + 1) SECOND);

-- name: take_over
UPDATE leader_same_second
SET leader = @owner, version = version + 1, expires_at = UTC_TIMESTAMP() + INTERVAL (CEIL(@ttl_us / 1000000) + 1) SECOND
WHERE lock_key = @key AND version = @seen AND expires_at <= UTC_TIMESTAMP(6);

-- name: beat
UPDATE leader_same_second
SET expires_at = UTC_TIMESTAMP() + INTERVAL (CEIL(@ttl_us / 1000000) + 1) SECOND
WHERE lock_key = @key AND leader = @owner AND version = @version AND expires_at > UTC_TIMESTAMP(6);
