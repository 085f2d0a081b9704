-- lease: server
-- about: the table is made without the unique index, so that a second row of the same resource goes in
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE hangfire_no_key (
  resource VARBINARY(255) NOT NULL,
  owner VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL,
  INDEX (resource)
) ENGINE = InnoDB;

-- name: expire
-- of: acquire
DELETE FROM hangfire_no_key WHERE resource = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO hangfire_no_key VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
DELETE FROM hangfire_no_key WHERE resource = @key AND owner = @owner;
