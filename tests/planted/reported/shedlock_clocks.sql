-- lease: client
-- about: the node's own clock says when the lock ends, and whether it has ended
SET @key = 'orders', @owner = 'node-a', @now_ms = 1700000000000, @expires_ms = 1700000002000;

-- name: schema
CREATE TABLE shedlock_clocks (
  name VARBINARY(255) PRIMARY KEY,
  lock_until BIGINT NOT NULL,
  locked_by VARBINARY(255) NOT NULL
) ENGINE = InnoDB;

-- name: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO shedlock_clocks VALUES (@key, @expires_ms, @owner);

-- name: take_over
-- of: acquire
-- granted when: affected = 1
UPDATE shedlock_clocks SET lock_until = @expires_ms, locked_by = @owner WHERE name = @key AND lock_until <= @now_ms;

-- name: release
-- done when: affected > 0
DELETE FROM shedlock_clocks WHERE name = @key AND locked_by = @owner;
