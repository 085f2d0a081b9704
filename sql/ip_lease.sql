-- ip_lease, document 004: the holder's IP address and the client's time in a row; no guard on the update, no unlock.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = '1', @owner = '192.168.0.1', @now = 1700000000;

-- name: schema
CREATE TABLE ip_lease (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  lock_type VARCHAR(64) NOT NULL, -- the document has an INT; a name says the same
  lock_owner VARCHAR(127) NOT NULL,
  lock_ts DATETIME NOT NULL,
  reserved TEXT DEFAULT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_idx_lock_type (lock_type)
) ENGINE = InnoDB;

-- name: select
SELECT lock_owner, UNIX_TIMESTAMP(lock_ts) FROM ip_lease WHERE lock_type = @key;

-- name: insert
INSERT INTO ip_lease (lock_type, lock_owner, lock_ts) VALUES (@key, @owner, FROM_UNIXTIME(@now));

-- name: update
UPDATE ip_lease SET lock_owner = @owner, lock_ts = FROM_UNIXTIME(@now) WHERE lock_type = @key;
