-- insert_lease_partitioned, document 000: insert_lease on eight partitions. PARTITION BY HASH(lock_key), as in the
-- document, is refused for a text (error 1659); BY KEY means the same.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
-- from: document 000:45-49
-- differs: BY KEY: MariaDB and MySQL refuse BY HASH of a text (error 1659)
CREATE TABLE insert_lease_partitioned (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB PARTITION BY KEY (lock_key) PARTITIONS 8;

-- name: begin
-- from: document 000:38
-- differs: an annotation there, REQUIRES_NEW: a transaction of its own
START TRANSACTION;

-- name: delete_expired
-- from: document 000:25-26
DELETE FROM insert_lease_partitioned WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:14
INSERT INTO insert_lease_partitioned VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: commit
-- from: document 000:38
-- differs: what the annotation does when the method returns
COMMIT;

-- name: rollback
-- from: document 000:38
-- differs: what the annotation does when the method throws
ROLLBACK;

-- name: release
-- from: document 000:30-31
DELETE FROM insert_lease_partitioned WHERE lock_key = @key AND lock_value = @owner;
