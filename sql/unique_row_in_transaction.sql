-- unique_row_in_transaction, document 002: unique_row with the read and the insert in one transaction.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @id = 1;

-- The document's INT(0) is an INT. The order's number may be NULL, and a unique index lets in any number of those.
-- name: schema
CREATE TABLE unique_row_in_transaction (
  id INT NOT NULL,
  order_no VARCHAR(36) DEFAULT NULL COMMENT 'number of the order',
  PRIMARY KEY (id) USING BTREE,
  UNIQUE INDEX idx_order_no (order_no) USING BTREE
) ENGINE = InnoDB;

-- name: begin
START TRANSACTION;

-- name: select
SELECT * FROM unique_row_in_transaction WHERE order_no = @key FOR UPDATE;

-- name: insert
INSERT INTO unique_row_in_transaction (id, order_no) VALUES (@id, @key);

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: release
DELETE FROM unique_row_in_transaction WHERE id = @id;
