-- name: schema
SELECT 1;
