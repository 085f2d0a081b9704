-- lease: server
-- whole seconds: yes
-- about: the end of a lease is the server's time in microseconds, and the length
SET @key = 'node-1', @owner = 'agent-a', @ttl_s = 2;

-- name: schema
CREATE TABLE end_in_microseconds (
  lease VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NOT NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: create
-- of: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO end_in_microseconds VALUES (@key, @owner, UTC_TIMESTAMP(6) + INTERVAL @ttl_s SECOND);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE end_in_microseconds SET owner = @owner, expires_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_s SECOND
WHERE lease = @key AND expires_at <= UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
DELETE FROM end_in_microseconds WHERE lease = @key AND owner = @owner;
