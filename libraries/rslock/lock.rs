//! rslock's `lock` with its default retries, `extend`, `is_freed` and `release`; or with the option `acquire` its
//! `acquire`, which loops until it has the lock, as its README shows it, given up by a time-out of tokio's.

mod holdfast_adapter;

use holdfast_adapter::{Adapter, Answer, Ask};
use rslock::{Lock, LockError, LockManager};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::time::timeout;

const FOR_EVER: Duration = Duration::from_secs(86400);

struct Rslock {
    runtime: Runtime,
    manager: LockManager,
    lease: Duration,
    loops: bool, // option `acquire`
}

impl Rslock {
    fn new(hello: &Ask) -> Self {
        // Replicas are no place for a lock.
        let servers = hello.0["servers"].as_array().into_iter().flatten().filter(|at| at["role"] == "lock");
        let uris = servers.map(|at| format!("redis://{}:{}/", at["host"].as_str().unwrap_or_default(), at["port"]));
        Self {
            runtime: Runtime::new().expect("a runtime of tokio's"),
            manager: LockManager::new(uris.collect()),
            lease: hello.ms("lease_ms").unwrap_or_default(),
            loops: hello.option("acquire"),
        }
    }

    // What the library says that is left, counted from when it said so; holdfast counts from the request.
    fn granted(began: Instant, lock: Lock) -> Answer<Lock> {
        let left = Duration::from_millis(lock.validity_time as u64);
        Answer::Granted(lock, Some(began.elapsed() + left))
    }

    async fn locked(&self, ask: &Ask) -> Result<Lock, LockError> {
        let (key, lease) = (ask.text("lock"), ask.ms("lease_ms").unwrap_or(self.lease));
        let wait = ask.ms("wait_ms").unwrap_or(FOR_EVER);
        if !self.loops || wait.is_zero() {
            return self.manager.lock(key, lease).await;
        }
        let waited = timeout(wait, self.manager.acquire(key, lease)).await;
        waited.map_or(Err(LockError::Unavailable), |guard| guard.map(|guard| guard.lock))
    }
}

impl Adapter for Rslock {
    type Grant = Lock;

    fn acquire(&self, ask: &Ask) -> Answer<Lock> {
        let began = Instant::now();
        match self.runtime.block_on(self.locked(ask)) {
            Ok(lock) => Self::granted(began, lock),
            Err(LockError::Unavailable) => Answer::Busy, // also if no server answered: it does not tell these apart
            Err(error) => Answer::Info(error.to_string()),
        }
    }

    fn renew(&self, _ask: &Ask, held: &Lock) -> Answer<Lock> {
        let began = Instant::now();
        match self.runtime.block_on(self.manager.extend(held, self.lease)) {
            Ok(lock) => Self::granted(began, lock),
            Err(LockError::Unavailable) => Answer::NotHeld, // it has tried to free the key by then
            Err(error) => Answer::Info(error.to_string()),
        }
    }

    fn owned(&self, _ask: &Ask, held: &Lock) -> Answer<Lock> {
        match self.runtime.block_on(self.manager.is_freed(held)) {
            Ok(false) => Answer::Yes,
            Ok(true) | Err(LockError::RedisKeyMismatch | LockError::RedisKeyNotFound) => Answer::No,
            Err(error) => Answer::Info(error.to_string()),
        }
    }

    fn release(&self, _ask: &Ask, held: Lock) -> Answer<Lock> {
        self.runtime.block_on(held.release());
        Answer::Info("its release does not tell whether the lock was still ours".into())
    }
}

fn main() {
    holdfast_adapter::serve("rslock", |hello| {
        let can: &[&str] = if hello.option("acquire") { &["owned", "renew", "wait"] } else { &["owned", "renew"] };
        (Rslock::new(hello), can)
    });
}
