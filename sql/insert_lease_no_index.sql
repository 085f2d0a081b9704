-- insert_lease_no_index, document 000: insert_lease on the table that it began with, without an index on the key.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
-- from: document 000:4-8, 10
-- differs: the primary key is taken away, as line 10 says it was at first
CREATE TABLE insert_lease_no_index (
  lock_key VARCHAR(64) NOT NULL,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: begin
-- from: document 000:38
-- differs: an annotation there, REQUIRES_NEW: a transaction of its own
START TRANSACTION;

-- name: delete_expired
-- from: document 000:25-26
DELETE FROM insert_lease_no_index WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:14
INSERT INTO insert_lease_no_index VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

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
DELETE FROM insert_lease_no_index WHERE lock_key = @key AND lock_value = @owner;
