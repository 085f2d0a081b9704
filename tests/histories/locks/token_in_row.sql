SET @key = 'orders', @owner = 'me';
-- name: schema
CREATE TABLE token_in_row (
  lock_key VARCHAR(64) PRIMARY KEY,
  owner VARCHAR(64) NOT NULL,
  token BIGINT UNSIGNED NOT NULL DEFAULT 1
);
-- name: acquire
INSERT INTO token_in_row (lock_key, owner) VALUES (@key, @owner);
-- name: token
SELECT token FROM token_in_row WHERE lock_key = @key AND owner = @owner;
-- name: release
DELETE FROM token_in_row WHERE lock_key = @key AND owner = @owner;
