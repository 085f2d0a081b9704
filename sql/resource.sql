-- The protected resource: one value a key, and a log row for every accepted write, in the write's own transaction, so
-- that a lost reply is decided by the log. `token` is the largest fencing token that was shown to the resource.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @base = 0, @value = 1, @token = 1, @client = 0, @grant = 1, @number = 2;

-- name: schema
CREATE TABLE resource (
  resource_key VARCHAR(64) PRIMARY KEY,
  value BIGINT NOT NULL,
  token BIGINT UNSIGNED NOT NULL
) ENGINE = InnoDB;
CREATE TABLE resource_log (
  sequence BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  resource_key VARCHAR(64) NOT NULL,
  client INT UNSIGNED NOT NULL,
  grant_number BIGINT UNSIGNED NOT NULL,
  write_number BIGINT UNSIGNED NOT NULL,
  base BIGINT NOT NULL,
  value BIGINT NOT NULL,
  token BIGINT UNSIGNED NOT NULL
) ENGINE = InnoDB;

-- name: create
INSERT INTO resource VALUES (@key, 0, 0);

-- name: read
SELECT value FROM resource WHERE resource_key = @key;

-- name: write
START TRANSACTION;
UPDATE resource SET value = @value WHERE resource_key = @key;
INSERT INTO resource_log (resource_key, client, grant_number, write_number, base, value, token)
SELECT resource_key, @client, @grant, @number, @base, @value, 0 FROM resource
WHERE resource_key = @key AND value = @value;
COMMIT;

-- A fenced reader shows its token too: otherwise an older holder's write could still slip in between this holder's read
-- and its write, and be lost.
-- name: read_fenced
START TRANSACTION;
UPDATE resource SET token = @token WHERE resource_key = @key AND token < @token;
SELECT value FROM resource WHERE resource_key = @key AND token <= @token;
COMMIT;

-- name: write_fenced
START TRANSACTION;
UPDATE resource SET value = @value, token = @token WHERE resource_key = @key AND token <= @token;
INSERT INTO resource_log (resource_key, client, grant_number, write_number, base, value, token)
SELECT resource_key, @client, @grant, @number, @base, @value, @token FROM resource
WHERE resource_key = @key AND value = @value;
COMMIT;

-- name: log
SELECT sequence, resource_key, client, grant_number, write_number, base, value, token
FROM resource_log ORDER BY sequence;
