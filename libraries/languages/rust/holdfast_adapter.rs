//! What all adapters in Rust have in common: holdfast's adapter protocol (docs/adapters.md).
//!
//!     mod holdfast_adapter;
//!     impl Adapter for Lock {
//!         fn acquire(&self, ask: &Ask) -> Answer<Grant> {...} // Granted, Busy, ...
//!         fn release(&self, ask: &Ask, held: Grant) -> Answer<Grant> {...}
//!     }
//!     fn main() { serve("rslock", |hello| (Lock::new(hello), &["wait"])) } // the crate, whose version is told
//!
//! What else the lock can is a method more (renew, owned) and a word of that list. A key that is not held here is
//! answered by the adapter; what a library cannot say is `Info`: perhaps it was done. Each thread of the load has a
//! thread of its own here. A library that is asynchronous is waited for in it, with the library's own runtime.
//!
//! Assertions may be made anywhere and at any time; `why` tells more, and may be empty:
//!
//!     always(!renewing, "no renewal after release", "");     // false: the lock is broken
//!     sometimes(attempts > 1, "a request was retried", "");  // must be true at least once in the run
//!     reached("the fallback server is used", "");            // must come at least once in the run

use serde_json::{json, Value};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Write};
use std::sync::{mpsc, Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A request; of `hello` and `acquire` the adapter reads what it needs.
pub struct Ask(pub Value);

impl Ask {
    pub fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    pub fn ms(&self, key: &str) -> Option<Duration> {
        self.0[key].as_u64().map(Duration::from_millis)
    }

    /// Of the manifest's options: whether it is there and true.
    #[allow(dead_code)]
    pub fn option(&self, key: &str) -> bool {
        self.0["options"][key] == true
    }

    fn key(&self) -> (String, u64) {
        (self.text("lock").into(), self.thread())
    }

    fn thread(&self) -> u64 {
        self.0["thread"].as_u64().unwrap_or(0)
    }
}

/// Of which not every adapter has each.
#[allow(dead_code)]
pub enum Answer<Grant> {
    /// What the library gave, and the length that it says of it.
    Granted(Grant, Option<Duration>),
    Done,
    Busy,
    NotHeld,
    Yes,
    No,
    Info(String),
    Fail(String),
}

pub trait Adapter: Send + Sync + 'static {
    type Grant: Send + 'static;

    fn acquire(&self, ask: &Ask) -> Answer<Self::Grant>;

    fn release(&self, ask: &Ask, held: Self::Grant) -> Answer<Self::Grant>;

    fn renew(&self, _ask: &Ask, _held: &Self::Grant) -> Answer<Self::Grant> {
        Answer::Fail("cannot renew".into())
    }

    fn owned(&self, _ask: &Ask, _held: &Self::Grant) -> Answer<Self::Grant> {
        Answer::Fail("cannot owned".into())
    }
}

/// Lines on standard output, each written whole.
fn say(said: Value) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{said}");
    let _ = out.flush();
}

/// Kind, name and result of evaluations.
type Assertion = (&'static str, String, bool);

#[derive(Default)]
struct Count {
    all: u64,
    told: u64,
}

/// A line tells the first evaluation of each result, and then each time that they have doubled.
static EVALUATIONS: Mutex<BTreeMap<Assertion, Count>> = Mutex::new(BTreeMap::new());

fn tell((kind, name, holds): &Assertion, count: &mut Count, why: &str) {
    let mut said = json!({"is": kind, "name": name, "count": count.all - count.told});
    if *kind != "reached" {
        said["holds"] = json!(holds);
    }
    if !why.is_empty() {
        said["why"] = json!(why.chars().take(500).collect::<String>());
    }
    count.told = count.all;
    say(said);
}

fn evaluated(kind: &'static str, name: &str, holds: bool, why: &str) {
    let mut all = EVALUATIONS.lock().unwrap();
    let one = (kind, name.to_string(), holds);
    let count = all.entry(one.clone()).or_default();
    count.all += 1;
    if count.all >= 2 * count.told {
        tell(&one, count, why);
    }
}

fn tell_all() {
    for (one, count) in EVALUATIONS.lock().unwrap().iter_mut() {
        if count.all > count.told {
            tell(one, count, "");
        }
    }
}

#[allow(dead_code)]
pub fn always(holds: bool, name: &str, why: &str) {
    evaluated("always", name, holds, why);
}

#[allow(dead_code)]
pub fn sometimes(holds: bool, name: &str, why: &str) {
    evaluated("sometimes", name, holds, why);
}

#[allow(dead_code)]
pub fn reached(name: &str, why: &str) {
    evaluated("reached", name, true, why);
}

struct Served<A: Adapter> {
    adapter: A,
    held: Mutex<HashMap<(String, u64), A::Grant>>,
}

impl<A: Adapter> Served<A> {
    fn answer(&self, ask: &Ask) -> Value {
        let kept = |grant| self.held.lock().unwrap().insert(ask.key(), grant);
        match self.asked(ask) {
            Answer::Granted(grant, lease) => {
                kept(grant);
                lease.map_or(json!({"is": "ok"}), |lease| json!({"is": "ok", "lease_ms": lease.as_millis() as u64}))
            }
            Answer::Done => json!({"is": "ok"}),
            Answer::Busy => json!({"is": "busy"}),
            Answer::NotHeld => json!({"is": "not_held"}),
            Answer::Yes => json!({"is": "yes"}),
            Answer::No => json!({"is": "no"}),
            Answer::Info(why) => json!({"is": "info", "why": why}),
            Answer::Fail(why) => json!({"is": "fail", "why": why}),
        }
    }

    fn asked(&self, ask: &Ask) -> Answer<A::Grant> {
        match ask.text("do") {
            "acquire" => return self.adapter.acquire(ask),
            "block" => {
                std::thread::sleep(ask.ms("ms").unwrap_or_default());
                return Answer::Done;
            }
            _ => (),
        }
        // Taken out while the library is asked, which others need not wait for.
        let held = self.held.lock().unwrap().remove(&ask.key());
        let (work, held): (fn(&A, &Ask, &A::Grant) -> _, _) = match (ask.text("do"), held) {
            ("owned", None) => return Answer::No,
            (_, None) => return Answer::NotHeld,
            ("release", Some(held)) => return self.adapter.release(ask, held),
            ("renew", Some(held)) => (A::renew, held),
            ("owned", Some(held)) => (A::owned, held),
            (other, Some(_)) => return Answer::Fail(format!("cannot {other}")),
        };
        let answer = work(&self.adapter, ask, &held);
        if !matches!(answer, Answer::NotHeld | Answer::Granted(..)) {
            self.held.lock().unwrap().insert(ask.key(), held);
        }
        answer
    }
}

fn answered(n: &Value, mut said: Value) {
    said["n"] = n.clone();
    say(said);
}

/// Of a crate, as Cargo.lock beside this file has it.
fn version_of(name: &str) -> &'static str {
    let named = format!("name = \"{name}\"\nversion = \"");
    let after = include_str!("Cargo.lock").split_once(&named).map(|(_, after)| after);
    after.and_then(|after| after.split('"').next()).unwrap_or("unknown")
}

/// `make` gives the adapter, and what the lock can besides `block` and `threads`, which are had here.
pub fn serve<A: Adapter>(name: &str, make: impl Fn(&Ask) -> (A, &'static [&'static str])) {
    let mut served: Option<Arc<Served<A>>> = None;
    let mut workers: HashMap<u64, mpsc::Sender<Ask>> = HashMap::new(); // by the thread that asks
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let ask = Ask(serde_json::from_str(&line).expect("a message"));
        let n = ask.0["n"].clone();
        match (ask.text("do"), &served) {
            ("bye", _) => break,
            ("pulse", _) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                answered(&n, json!({"is": "ok", "wall_ms": now.as_millis() as u64}));
            }
            ("hello", _) => {
                let (adapter, can) = make(&ask);
                let can = [can, &["block", "threads"]].concat();
                served = Some(Arc::new(Served { adapter, held: Mutex::default() }));
                let (asked, version) = (&ask.0["name"], version_of(name));
                answered(&n, json!({"is": "ready", "v": 1, "name": asked, "version": version, "can": can}));
            }
            ("acquire" | "release" | "renew" | "owned" | "block", Some(served)) => {
                let worker = workers.entry(ask.thread()).or_insert_with(|| worker(served.clone()));
                let _ = worker.send(ask);
            }
            (other, _) => answered(&n, json!({"is": "fail", "why": format!("cannot {other}")})),
        }
    }
    tell_all();
    std::process::exit(0); // who still waits is not waited for
}

fn worker<A: Adapter>(served: Arc<Served<A>>) -> mpsc::Sender<Ask> {
    let (asks, asked) = mpsc::channel::<Ask>();
    std::thread::spawn(move || {
        for ask in asked {
            answered(&ask.0["n"], served.answer(&ask));
        }
    });
    asks
}
