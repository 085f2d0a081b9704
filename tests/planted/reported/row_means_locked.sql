-- lease: none
-- about: a session lock; the attempt counts as granted if its query returns a row, whatever the row says
SET @key = 'session-42';

-- name: acquire
-- granted when: rows = 1
SELECT GET_LOCK(@key, 0);

-- name: release
-- done when: value = 1
SELECT RELEASE_LOCK(@key);
