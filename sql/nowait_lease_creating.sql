-- nowait_lease_creating, document 003: nowait_lease whose table is made by whoever asks first.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @owner = '6f1c', @expires = '2030-01-01 00:00:02.500000', @read = '2030-01-01 00:00:02';

-- name: create_table
-- from: document 003:33-38, 61
-- differs: a model class there, of which its framework makes the table; the plain CREATE is ours
CREATE TABLE nowait_lease_creating (
  lock_key VARCHAR(255) NOT NULL PRIMARY KEY,
  lock_owner VARCHAR(255),
  expire_at TIMESTAMP,
  reentrant_count INT DEFAULT 0
) ENGINE = InnoDB;

-- name: find_table
-- from: document 003:58
-- differs: the document asks its framework for the table; ours asks the server by a read that reads nothing
SELECT * FROM nowait_lease_creating LIMIT 0;

-- name: select
-- from: document 003:68
SELECT * FROM nowait_lease_creating WHERE lock_key = @key FOR UPDATE NOWAIT;

-- name: insert
-- from: document 003:80-86
-- differs: an object there, which its framework inserts
INSERT INTO nowait_lease_creating (lock_key, lock_owner, expire_at) VALUES (@key, @owner, @expires);

-- name: take_over
-- from: document 003:105
UPDATE nowait_lease_creating SET lock_owner = @owner, expire_at = @expires
WHERE lock_key = @key AND expire_at = @read;

-- name: release
-- from: document 003:134-137
-- differs: an object there, by which its framework deletes
DELETE FROM nowait_lease_creating WHERE lock_key = @key AND lock_owner = @owner;
