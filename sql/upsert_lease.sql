-- upsert_lease, document 004: one upsert on the server's clock; the affected rows decide; no owner.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'my_lock', @ttl = 10;

-- name: schema
-- from: document 004:46-51
CREATE TABLE upsert_lease (
  lock_name VARCHAR(255) NOT NULL,
  lock_timestamp BIGINT UNSIGNED NOT NULL,
  lock_ttl INT UNSIGNED NOT NULL,
  PRIMARY KEY (lock_name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8;

-- name: acquire
-- from: document 004:53-57
INSERT INTO upsert_lease (lock_name, lock_timestamp, lock_ttl) VALUES (@key, UNIX_TIMESTAMP(), @ttl)
ON DUPLICATE KEY UPDATE
  lock_timestamp = IF(UNIX_TIMESTAMP() - lock_timestamp > lock_ttl, VALUES(lock_timestamp), lock_timestamp),
  lock_ttl = IF(UNIX_TIMESTAMP() - lock_timestamp > lock_ttl, VALUES(lock_ttl), lock_ttl);

-- name: release
-- from: document 004:59
DELETE FROM upsert_lease WHERE lock_name = @key;
