-- insert_lease, document 000: a unique row with a UUID and an expiry by the server's clock. An attempt is a transaction
-- of its own, at READ COMMITTED.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
-- from: document 000:4-8
CREATE TABLE insert_lease (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: begin
-- from: document 000:38
-- differs: an annotation there, REQUIRES_NEW: a transaction of its own
START TRANSACTION;

-- name: delete_expired
-- from: document 000:25-26
DELETE FROM insert_lease WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:14
INSERT INTO insert_lease VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

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
DELETE FROM insert_lease WHERE lock_key = @key AND lock_value = @owner;
