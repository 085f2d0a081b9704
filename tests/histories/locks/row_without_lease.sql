SET @key = 'orders', @owner = 'me';
-- name: schema
CREATE TABLE row_without_lease (lock_key VARCHAR(64) PRIMARY KEY, owner VARCHAR(64) NOT NULL);
-- name: acquire
INSERT INTO row_without_lease VALUES (@key, @owner);
-- name: release
DELETE FROM row_without_lease WHERE lock_key = @key AND owner = @owner;
