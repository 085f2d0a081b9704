-- lease: server
-- renews: job
-- about: a job that was claimed too long ago is taken for dead, and the reclaim does not look at its heartbeat
SET @key = 'job-1', @owner = 'worker-a', @ttl_us = 2000000;

-- name: schema
CREATE TABLE clevis_reclaim (
  job VARBINARY(255) PRIMARY KEY,
  worker VARBINARY(255) NULL,
  given_up_at DATETIME(6) NOT NULL,
  beat_at DATETIME(6) NOT NULL
) ENGINE = InnoDB;

-- name: row
-- of: acquire
INSERT IGNORE INTO clevis_reclaim VALUES (@key, NULL, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6));

-- name: acquire
-- granted when: affected = 1
-- busy when: affected = 0
UPDATE clevis_reclaim
SET worker = @owner, given_up_at = UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND, beat_at = UTC_TIMESTAMP(6)
WHERE job = @key AND (worker IS NULL OR given_up_at <= UTC_TIMESTAMP(6));

-- name: renew
-- done when: affected > 0
UPDATE clevis_reclaim SET beat_at = UTC_TIMESTAMP(6) WHERE job = @key AND worker = @owner;

-- name: release
-- done when: affected > 0
UPDATE clevis_reclaim SET worker = NULL WHERE job = @key AND worker = @owner;
