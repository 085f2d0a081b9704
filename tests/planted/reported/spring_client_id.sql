-- lease: server
-- about: the owner is the application's name: a second thread of it finds the row its own
SET @key = 'acct1', @address = '10.0.0.3', @ttl_us = 2000000;

-- name: schema
CREATE TABLE spring_client_id (
  lock_key VARBINARY(255) PRIMARY KEY,
  client_id VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  writes BIGINT NOT NULL DEFAULT 0
) ENGINE = InnoDB;

-- name: expire
-- of: acquire
DELETE FROM spring_client_id WHERE lock_key = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: again
-- of: acquire
-- granted when: affected = 1
UPDATE spring_client_id SET expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, writes = writes + 1
WHERE lock_key = @key AND client_id = @address;

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO spring_client_id (lock_key, client_id, expires_at)
VALUES (@key, @address, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
DELETE FROM spring_client_id WHERE lock_key = @key AND client_id = @address;
