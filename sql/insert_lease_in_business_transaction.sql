-- insert_lease_in_business_transaction, document 000: the lock's statements inside the caller's open transaction;
-- the caller's work lies between `acquire` and `release`.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
CREATE TABLE insert_lease_in_business_transaction (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: begin
START TRANSACTION;

-- name: delete_expired
DELETE FROM insert_lease_in_business_transaction WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
INSERT INTO insert_lease_in_business_transaction VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: release
DELETE FROM insert_lease_in_business_transaction WHERE lock_key = @key AND lock_value = @owner;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;
