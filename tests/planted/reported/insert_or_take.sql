-- lease: server
-- about: the row is inserted, or taken over when its lease is over
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE insert_or_take (
  name VARBINARY(700) PRIMARY KEY,
  lock_until DATETIME(6) NOT NULL,
  locked_by VARBINARY(255) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO insert_or_take VALUES (@key, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, @owner);

-- name: take_over
-- of: acquire
-- granted when: affected = 1
UPDATE insert_or_take SET lock_until = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, locked_by = @owner
WHERE name = @key AND lock_until <= UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
UPDATE insert_or_take SET lock_until = UTC_TIMESTAMP(6)
WHERE name = @key AND locked_by = @owner AND lock_until > UTC_TIMESTAMP(6);
