-- insert_lease_upsert_renew, document 000: insert_lease with the document's renewal, which asks for no owner.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @ttl = 2;

-- name: schema
CREATE TABLE insert_lease_upsert_renew (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: delete_expired
DELETE FROM insert_lease_upsert_renew WHERE lock_key = @key AND expire_time < NOW();

-- name: acquire
INSERT INTO insert_lease_upsert_renew VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND));

-- name: renew
INSERT INTO insert_lease_upsert_renew VALUES (@key, @owner, ADDDATE(NOW(), INTERVAL @ttl SECOND))
ON DUPLICATE KEY UPDATE expire_time = ADDDATE(NOW(), INTERVAL @ttl SECOND);

-- name: release
DELETE FROM insert_lease_upsert_renew WHERE lock_key = @key AND lock_value = @owner;
