-- insert_lease_client_clock, document 000: the expiry is a literal of the client's; the server's NOW() judges it.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @expires = '2030-01-01 00:00:02.500';

-- name: schema
-- from: document 000:4-8
CREATE TABLE insert_lease_client_clock (
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
DELETE FROM insert_lease_client_clock WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:42
-- differs: words there: a time that the client passed; the statement is that of line 14 with it in place
INSERT INTO insert_lease_client_clock VALUES (@key, @owner, @expires);

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
DELETE FROM insert_lease_client_clock WHERE lock_key = @key AND lock_value = @owner;
