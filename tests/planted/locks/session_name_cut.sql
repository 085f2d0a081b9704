-- session_name_cut: session_lock with a name that is cut.
SET @key = 'orders';

-- name: acquire
SELECT GET_LOCK(LEFT(CONCAT('billing.orders.', @key), 64), 2);

-- name: release
SELECT RELEASE_LOCK(LEFT(CONCAT('billing.orders.', @key), 64));
