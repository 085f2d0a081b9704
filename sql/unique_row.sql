-- unique_row, document 002: a unique row without expiry is the lock; the release deletes it by its id.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'orders', @id = 1;

-- The document's INT(0) is an INT. The order's number may be NULL, and a unique index lets in any number of those.
-- name: schema
CREATE TABLE unique_row (
  id INT NOT NULL,
  order_no VARCHAR(36) DEFAULT NULL COMMENT 'number of the order',
  PRIMARY KEY (id) USING BTREE,
  UNIQUE INDEX idx_order_no (order_no) USING BTREE
) ENGINE = InnoDB;

-- name: select
SELECT * FROM unique_row WHERE order_no = @key FOR UPDATE;

-- name: insert
INSERT INTO unique_row (id, order_no) VALUES (@id, @key);

-- name: release
DELETE FROM unique_row WHERE id = @id;
