-- insert_lease, document 000: a unique row with a UUID and an expiry by the server's clock.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
CREATE TABLE insert_lease (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM insert_lease WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
INSERT INTO insert_lease VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: release
DELETE FROM insert_lease WHERE lock_key = @key AND lock_value = @owner;
