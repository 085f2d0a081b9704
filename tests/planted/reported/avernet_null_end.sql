-- lease: none
-- about: a lock without an end has NULL there, and a row whose end is NULL counts as free
SET @key = 'orders', @owner = 'node-a';

-- name: schema
CREATE TABLE avernet_null_end (
  lock_name VARBINARY(255) PRIMARY KEY,
  lock_holder VARBINARY(255) NOT NULL,
  expire_time DATETIME(6) NULL
) ENGINE = InnoDB;

-- name: upsert
-- of: acquire
INSERT INTO avernet_null_end VALUES (@key, @owner, NULL)
ON DUPLICATE KEY UPDATE
  lock_holder = IF(expire_time IS NULL OR expire_time < UTC_TIMESTAMP(6), VALUES(lock_holder), lock_holder);

-- name: acquire
-- granted when: value = 1
-- busy when: value = 0
SELECT lock_holder = @owner FROM avernet_null_end WHERE lock_name = @key;

-- name: release
-- done when: affected > 0
DELETE FROM avernet_null_end WHERE lock_name = @key AND lock_holder = @owner;
