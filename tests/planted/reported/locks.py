#!/usr/bin/python3
"""The locks of this folder in Python: `class` of the options says which, `twin` whether it is the sound one."""

import more_redis_locks
import redis_locks
import renewed_readers
import subscribing_lock
from serve import serve

CLASSES = {
    "walrus_wait": redis_locks.WalrusWait,
    "bluele_restart": redis_locks.BlueleRestart,
    "redisson_armed": redis_locks.RedissonArmed,
    "sidekiq_reaper": redis_locks.SidekiqReaper,
    "redisson_renewal_ends": redis_locks.RedissonRenewalEnds,
    "redisson_thread_id": redis_locks.RedissonThreadId,
    "mlanett_pid": redis_locks.MlanettPid,
    "reader_clears_all": more_redis_locks.ReaderClearsAll,
    "unlock_error_renews": more_redis_locks.UnlockErrorRenews,
    "rank_of_claims": more_redis_locks.RankOfClaims,
    "miintto_subscribes_late": subscribing_lock.SubscribesLate,
    "reader_renewed_by_half": renewed_readers.ReaderRenewedByHalf,
}

if __name__ == "__main__":
    import database_locks

    CLASSES |= {
        "xwiki_deadlock": database_locks.XwikiDeadlock,
        "leoflow_recycled": database_locks.LeoflowRecycled,
        "go_mysql_leak": database_locks.GoMysqlLeak,
        "greptime_timeout": database_locks.GreptimeTimeout,
        "pick_not_committed": database_locks.PickNotCommitted,
        "xact_without_transaction": database_locks.XactWithoutTransaction,
        "boot_recovers_all": database_locks.BootRecoversAll,
    }
    serve(CLASSES)
