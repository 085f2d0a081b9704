-- lease: server
-- about: the unique index has the time of the release, which is NULL as long as the lock is held: NULLs differ
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE null_in_unique (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  name VARBINARY(255) NOT NULL,
  owner VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  released_at DATETIME(6) NULL,
  UNIQUE (name, released_at)
) ENGINE = InnoDB;

-- name: expire
-- of: acquire
UPDATE null_in_unique SET released_at = UTC_TIMESTAMP(6)
WHERE name = @key AND released_at IS NULL AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO null_in_unique (name, owner, expires_at)
VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
UPDATE null_in_unique SET released_at = UTC_TIMESTAMP(6) WHERE name = @key AND owner = @owner AND released_at IS NULL;
