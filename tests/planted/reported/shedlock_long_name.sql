-- lease: server
-- about: names are 64 characters at most, and a longer one makes every INSERT fail
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE shedlock_long_name (
  name VARBINARY(64) PRIMARY KEY,
  lock_until DATETIME(6) NOT NULL,
  locked_by VARBINARY(255) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO shedlock_long_name VALUES (@key, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, @owner);

-- name: take_over
-- of: acquire
-- granted when: affected = 1
UPDATE shedlock_long_name SET lock_until = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, locked_by = @owner
WHERE name = @key AND lock_until <= UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
UPDATE shedlock_long_name SET lock_until = UTC_TIMESTAMP(6)
WHERE name = @key AND locked_by = @owner AND lock_until > UTC_TIMESTAMP(6);
