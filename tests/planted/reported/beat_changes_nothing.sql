-- lease: server
-- renews: job
-- about: a job is taken for dead when its row was not touched for its lease
SET @key = 'job-1', @owner = 'worker-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE beat_changes_nothing (
  job VARBINARY(255) PRIMARY KEY,
  worker VARBINARY(255) NULL,
  lease_us BIGINT NOT NULL,
  updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)
) ENGINE = InnoDB;

-- name: row
-- of: acquire
INSERT IGNORE INTO beat_changes_nothing (job, worker, lease_us) VALUES (@key, NULL, 0);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE beat_changes_nothing SET worker = @owner, lease_us = @ttl_us
WHERE job = @key AND (worker IS NULL OR updated_at + INTERVAL lease_us MICROSECOND <= NOW(6));

-- name: beat
-- of: renew
UPDATE beat_changes_nothing SET worker = @owner, lease_us = @ttl_us WHERE job = @key AND worker = @owner;

-- name: renew
-- done when: rows = 1
SELECT worker FROM beat_changes_nothing
WHERE job = @key AND worker = @owner AND updated_at + INTERVAL lease_us MICROSECOND > NOW(6);

-- name: release
-- done when: affected > 0
UPDATE beat_changes_nothing SET worker = NULL WHERE job = @key AND worker = @owner;
