-- for_update_read_split, document 000: the pessimistic lock that it began with, and gave up. The row is there before
-- anybody asks; who has it locked, by an open transaction, holds the lock; the caller's work lies between `select` and
-- `commit`. Pasted into one client of one server it is right; what breaks it is where `select` is sent to.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders';

-- name: schema
-- from: ours, as document 000:4
CREATE TABLE for_update_read_split (
  lock_key VARCHAR(64) PRIMARY KEY,
  lock_value VARCHAR(64) NOT NULL,
  expire_time TIMESTAMP NOT NULL
) ENGINE = InnoDB;

-- name: start
-- from: ours
-- why: the document prints none; the row is there before anybody asks, because a missing row has nothing to lock
INSERT IGNORE INTO for_update_read_split VALUES (@key, '', NOW());

-- name: begin
-- from: ours
-- why: the document has the words SELECT FOR UPDATE alone; the transaction through the work is ours
START TRANSACTION;

-- name: select
-- from: document 000:35
-- differs: words there: SELECT FOR UPDATE
SELECT lock_key FROM for_update_read_split WHERE lock_key = @key FOR UPDATE;

-- name: commit
-- from: ours
-- why: the document has the words SELECT FOR UPDATE alone; the transaction through the work is ours
COMMIT;

-- name: rollback
-- from: ours
-- why: the document has the words SELECT FOR UPDATE alone; the transaction through the work is ours
ROLLBACK;
