-- insert_lease_client_clock, document 000: the expiry is a literal of the client's; the server's NOW() judges it.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @expires = '2030-01-01 00:00:02.500';

-- name: schema
CREATE TABLE insert_lease_client_clock (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM insert_lease_client_clock WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
INSERT INTO insert_lease_client_clock VALUES (@key, @owner, @expires);

-- name: release
DELETE FROM insert_lease_client_clock WHERE lock_key = @key AND lock_value = @owner;
