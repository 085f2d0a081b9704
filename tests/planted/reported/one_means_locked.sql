-- lease: none
-- about: a session lock; the attempt is granted if its query returns 1
SET @key = 'session-42';

-- name: acquire
-- granted when: value = 1
-- busy when: value = 0
SELECT GET_LOCK(@key, 0);

-- name: release
-- done when: value = 1
SELECT RELEASE_LOCK(@key);
