-- lease: none
-- about: a row of the lock table says LOCKED; a process that is killed leaves it so
SET @key = '1', @owner = 'host-a';

-- name: schema
CREATE TABLE liquibase_lock (
  id VARBINARY(255) PRIMARY KEY,
  locked BOOLEAN NOT NULL,
  locked_by VARBINARY(255) NULL
) ENGINE = InnoDB;

-- name: row
-- of: acquire
INSERT IGNORE INTO liquibase_lock VALUES (@key, FALSE, NULL);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE liquibase_lock SET locked = TRUE, locked_by = @owner WHERE id = @key AND locked = FALSE;

-- name: release
-- done when: affected > 0
UPDATE liquibase_lock SET locked = FALSE, locked_by = NULL WHERE id = @key AND locked_by = @owner;
