-- insert_lease_in_business_transaction, document 000: the lock's statements inside the caller's open transaction;
-- the caller's work lies between `acquire` and `release`.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
-- from: document 000:4-8
CREATE TABLE insert_lease_in_business_transaction (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: begin
-- from: document 000:37
-- differs: words there: a transaction was not committed; that it is the caller's is ours
START TRANSACTION;

-- name: delete_expired
-- from: document 000:25-26
DELETE FROM insert_lease_in_business_transaction WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
-- from: document 000:14
INSERT INTO insert_lease_in_business_transaction VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: release
-- from: document 000:30-31
DELETE FROM insert_lease_in_business_transaction WHERE lock_key = @key AND lock_value = @owner;

-- name: commit
-- from: document 000:37
-- differs: the caller's, after its work
COMMIT;

-- name: rollback
-- from: document 000:37
-- differs: the caller's
ROLLBACK;
