-- lease: server
-- about: an upsert without a condition: the row becomes the asker's also while another holds it
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE shedlock_upsert (
  name VARBINARY(255) PRIMARY KEY,
  lock_until DATETIME(6) NOT NULL,
  locked_by VARBINARY(255) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected > 0
-- busy when: affected = 0
INSERT INTO shedlock_upsert VALUES (@key, UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, @owner)
ON DUPLICATE KEY UPDATE lock_until = VALUES(lock_until), locked_by = VALUES(locked_by);

-- name: release
-- done when: affected > 0
DELETE FROM shedlock_upsert WHERE name = @key AND locked_by = @owner;
