-- lease: server
-- isolation: repeatable_read
-- about: a transaction locks the head row of an order, reads who has the order, and writes itself down
SET @key = 'orders', @owner = 'node-a', @ttl_us = 2000000, @found = 2;

-- name: schema
CREATE TABLE read_after_lock (
  order_key VARBINARY(255) NOT NULL,
  part TINYINT NOT NULL,
  owner VARBINARY(255) NULL,
  ends_at DATETIME(6) NOT NULL,
  writes BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (order_key, part)
) ENGINE = InnoDB;

-- name: begin
-- of: acquire
START TRANSACTION;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: look
-- of: acquire
-- keep: found = value
SELECT COUNT(*) FROM read_after_lock WHERE order_key = @key;

-- name: rows
-- of: acquire
INSERT IGNORE INTO read_after_lock (order_key, part, owner, ends_at)
SELECT @key, parts.part, NULL, UTC_TIMESTAMP(6) FROM (SELECT 0 AS part UNION ALL SELECT 1) AS parts WHERE @found < 2;

-- name: head
-- of: acquire
SELECT part FROM read_after_lock WHERE order_key = @key AND part = 0 FOR UPDATE;

-- name: state
-- of: acquire
-- busy when: rows = 1
SELECT owner FROM read_after_lock
WHERE order_key = @key AND part = 1 AND owner IS NOT NULL AND ends_at > UTC_TIMESTAMP(6);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE read_after_lock
SET owner = @owner, ends_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, writes = writes + 1
WHERE order_key = @key AND part = 1;

-- name: release
-- done when: affected > 0
UPDATE read_after_lock SET owner = NULL, writes = writes + 1
WHERE order_key = @key AND part = 1 AND owner = @owner;
