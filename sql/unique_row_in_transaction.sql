-- unique_row_in_transaction, document 002: unique_row with the read and the insert in one transaction.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @id = 1;

-- The document's INT(0) is an INT. The order's number may be NULL, and a unique index lets in any number of those.
-- name: schema
-- from: document 002:89-94
-- differs: INT for int(0); the comment is in English
CREATE TABLE unique_row_in_transaction (
  id INT NOT NULL,
  order_no VARCHAR(36) DEFAULT NULL COMMENT 'number of the order',
  PRIMARY KEY (id) USING BTREE,
  UNIQUE INDEX idx_order_no (order_no) USING BTREE
) ENGINE = InnoDB;

-- name: begin
-- from: ours
-- why: what a locking read is for; the document names no transaction
START TRANSACTION;

-- name: select
-- from: document 002:112
SELECT * FROM unique_row_in_transaction WHERE order_no = @key FOR UPDATE;

-- name: insert
-- from: document 002:105, 113
-- differs: words there: a record is inserted, its id returned; the table gives no id, so ours brings one
INSERT INTO unique_row_in_transaction (id, order_no) VALUES (@id, @key);

-- name: commit
-- from: ours
-- why: as begin
COMMIT;

-- name: rollback
-- from: ours
-- why: as begin
ROLLBACK;

-- name: release
-- from: ours
-- why: the document prints no unlock; lock() returns the id of the row, so the row is deleted by it
DELETE FROM unique_row_in_transaction WHERE id = @id;
