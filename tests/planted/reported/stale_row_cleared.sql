-- lease: server
-- about: an option row is the lease; one that is over is found, deleted by its name, and added again
SET @key = 'drain-lock', @owner = 'worker-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE stale_row_cleared (
  option_name VARBINARY(255) PRIMARY KEY,
  option_value VARBINARY(255) NOT NULL,
  ends_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: add
-- of: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO stale_row_cleared VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: stale
-- of: acquire
-- busy when: rows = 0
SELECT option_value FROM stale_row_cleared WHERE option_name = @key AND ends_at <= UTC_TIMESTAMP(6);

-- name: clear
-- of: acquire
DELETE FROM stale_row_cleared WHERE option_name = @key;

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO stale_row_cleared VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
DELETE FROM stale_row_cleared WHERE option_name = @key AND option_value = @owner;
