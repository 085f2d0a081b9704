-- lease: server
-- about: expired rows are removed by the clean-up job, which runs under a lock of the same table
SET @key = 'cleanup', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE frank_cleanup (
  object_id VARBINARY(255) PRIMARY KEY,
  host VARBINARY(255) NOT NULL,
  expiry DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected = 1
-- busy when: duplicate key
INSERT INTO frank_cleanup VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND);

-- name: clean
-- of: release
DELETE FROM frank_cleanup WHERE expiry < UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
DELETE FROM frank_cleanup WHERE object_id = @key AND host = @owner;
