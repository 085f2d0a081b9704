-- lease: server
-- whole seconds: yes
-- about: the end of a lease is the server's time in whole seconds, cut off, and the length
SET @key = 'node-1', @owner = 'agent-a', @ttl_s = 2;

-- name: schema
CREATE TABLE end_in_whole_seconds (
  lease VARBINARY(255) PRIMARY KEY,
  owner VARBINARY(255) NOT NULL,
  expires_at BIGINT NOT NULL
) ENGINE = InnoDB;

-- name: create
-- of: acquire
-- granted when: affected = 1
-- next when: duplicate key
INSERT INTO end_in_whole_seconds VALUES (@key, @owner, UNIX_TIMESTAMP() + @ttl_s);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE end_in_whole_seconds SET owner = @owner, expires_at = UNIX_TIMESTAMP() + @ttl_s
WHERE lease = @key AND expires_at <= UNIX_TIMESTAMP();

-- name: release
-- done when: affected > 0
DELETE FROM end_in_whole_seconds WHERE lease = @key AND owner = @owner;
