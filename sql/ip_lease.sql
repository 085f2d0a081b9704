-- ip_lease, document 004: the holder's IP address and the client's time in a row; no guard on the update, no unlock.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = '1', @owner = '192.168.0.1', @now = '2030-01-01 00:00:00.500000';

-- name: schema
-- from: document 004:3-12
-- differs: lock_type is a name; the document has a number
CREATE TABLE ip_lease (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  lock_type VARCHAR(64) NOT NULL,
  lock_owner VARCHAR(127) NOT NULL,
  lock_ts DATETIME NOT NULL,
  reserved TEXT DEFAULT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_idx_lock_type (lock_type)
) ENGINE = InnoDB;

-- name: select
-- from: document 004:17
-- differs: an object there; ours names the columns that are read
SELECT lock_owner, lock_ts FROM ip_lease WHERE lock_type = @key;

-- name: insert
-- from: document 004:19
-- differs: an object there
INSERT INTO ip_lease (lock_type, lock_owner, lock_ts) VALUES (@key, @owner, @now);

-- name: update
-- from: document 004:27
-- differs: an object there; the document prints no condition, ours is that of the read
UPDATE ip_lease SET lock_owner = @owner, lock_ts = @now WHERE lock_type = @key;
