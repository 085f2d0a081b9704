-- session_lock, sound: the server compares names without regard to case and takes 64 characters; a hash fits.
SET @key = 'orders';

-- name: acquire
SELECT GET_LOCK(SHA1(@key), 2);

-- name: release
SELECT RELEASE_LOCK(SHA1(@key));
