-- owner_truncated: reentrant_row with a short column for the owner.
SET @key = 'orders', @owner = '6f1c', @ttl_us = 2000000;

-- name: schema
CREATE TABLE owner_truncated (
  lock_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  owner VARCHAR(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  holds INT NOT NULL DEFAULT 1,
  expires_at DATETIME(6) NOT NULL,
  renewals BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM owner_truncated WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
INSERT INTO owner_truncated (lock_key, owner, expires_at)
VALUES (@key, LEFT(@owner, 16), UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: take_own
UPDATE owner_truncated
SET holds = 1, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = LEFT(@owner, 16) AND expires_at > UTC_TIMESTAMP(6);

-- name: enter_again
UPDATE owner_truncated
SET holds = holds + 1, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = LEFT(@owner, 16) AND expires_at > UTC_TIMESTAMP(6);

-- name: renew
UPDATE owner_truncated SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, renewals = renewals + 1
WHERE lock_key = @key AND owner = LEFT(@owner, 16) AND expires_at > UTC_TIMESTAMP(6);

-- name: leave_inner
UPDATE owner_truncated SET holds = holds - 1
WHERE lock_key = @key AND owner = LEFT(@owner, 16) AND holds > 1;

-- name: release
DELETE FROM owner_truncated WHERE lock_key = @key AND owner = LEFT(@owner, 16);
