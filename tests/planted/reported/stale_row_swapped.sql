-- lease: server
-- about: an option row is the lease; one that is over is replaced by one conditional update
SET @key = 'drain-lock', @owner = 'worker-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE stale_row_swapped (
  option_name VARBINARY(255) PRIMARY KEY,
  option_value VARBINARY(255) NOT NULL,
  ends_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: add
-- of: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO stale_row_swapped VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE stale_row_swapped SET option_value = @owner, ends_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND
WHERE option_name = @key AND ends_at <= UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
DELETE FROM stale_row_swapped WHERE option_name = @key AND option_value = @owner;
