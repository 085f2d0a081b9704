-- lease: server
-- renews: job
-- about: a job without a heartbeat for a lease is taken for dead
SET @key = 'job-1', @owner = 'worker-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE beat_reclaim (
  job VARBINARY(255) PRIMARY KEY,
  worker VARBINARY(255) NULL,
  given_up_at DATETIME(6) NOT NULL,
  beats BIGINT NOT NULL
) ENGINE = InnoDB;

-- name: row
-- of: acquire
INSERT IGNORE INTO beat_reclaim VALUES (@key, NULL, UTC_TIMESTAMP(6), 0);

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE beat_reclaim
SET worker = @owner, given_up_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, beats = beats + 1
WHERE job = @key AND (worker IS NULL OR given_up_at <= UTC_TIMESTAMP(6));

-- name: renew
-- done when: affected > 0
UPDATE beat_reclaim SET given_up_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, beats = beats + 1
WHERE job = @key AND worker = @owner AND given_up_at > UTC_TIMESTAMP(6);

-- name: release
-- done when: affected > 0
UPDATE beat_reclaim SET worker = NULL, beats = beats + 1 WHERE job = @key AND worker = @owner;
