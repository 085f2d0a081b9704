-- insert_lease_autocommit, ours: insert_lease without the transaction around an attempt.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
-- from: document 000:4-8
CREATE TABLE insert_lease_autocommit (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: delete_expired
-- from: document 000:25-26
DELETE FROM insert_lease_autocommit WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:14
INSERT INTO insert_lease_autocommit VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: release
-- from: document 000:30-31
DELETE FROM insert_lease_autocommit WHERE lock_key = @key AND lock_value = @owner;
