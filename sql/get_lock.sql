-- get_lock, for comparison: the server's own session lock.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders';

-- name: acquire
-- from: ours
-- why: for comparison; none of the documents has it
SELECT GET_LOCK(@key, 0);

-- name: release
-- from: ours
-- why: for comparison; none of the documents has it
SELECT RELEASE_LOCK(@key);
