-- leader_version_cas, document 001: leader election by compare-and-set on a version; the owner is an IP address.
-- The document's table is called `lock`, a reserved word, and its names carry blanks inside the back-quotes: as printed
-- it does not run. Here the quotes are mended and the table has the lock's name.
-- The SETs are for a person who pastes this file into a client; the harness gives its own values.
SET @key = 'master', @owner = '192.168.0.1', @version = 1;

-- name: schema
-- from: document 001:37-46
-- differs: without the blanks inside the back-quotes, and without the comments
CREATE TABLE leader_version_cas (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  namespace VARCHAR(128) NOT NULL DEFAULT '',
  owner VARCHAR(128) DEFAULT NULL,
  version BIGINT NOT NULL DEFAULT 0,
  create_time DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  update_time DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY idx_namespace (namespace)
) ENGINE = InnoDB;

-- name: start
-- from: document 001:68
-- differs: VALUES for VALUE, the namespace is a parameter; and the table's name, a reserved word there, without quotes
INSERT INTO leader_version_cas (namespace, version, create_time, update_time) VALUES (@key, 1, NOW(), NOW());

-- name: select
-- from: document 001:108-112
-- differs: names the columns that are read, where the document has *; and the table's name, as in start
SELECT owner, version, UNIX_TIMESTAMP(NOW()) - UNIX_TIMESTAMP(update_time) AS remaining
FROM leader_version_cas WHERE namespace = @key LIMIT 1;

-- name: promote
-- from: document 001:125-131
-- differs: the table's name, a reserved word there, without quotes: as printed it does not parse
UPDATE leader_version_cas SET update_time = NOW(), owner = @owner, version = version + 1
WHERE namespace = @key AND version = @version;

-- name: keep_alive
-- from: document 001:139-144
-- differs: the table's name, as in promote
UPDATE leader_version_cas SET update_time = NOW()
WHERE namespace = @key AND owner = @owner AND update_time >= DATE_SUB(NOW(), INTERVAL 3 SECOND);
