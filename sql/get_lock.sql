-- get_lock, for comparison: the server's own session lock.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders';

-- name: acquire
SELECT GET_LOCK(@key, 0);

-- name: release
SELECT RELEASE_LOCK(@key);
