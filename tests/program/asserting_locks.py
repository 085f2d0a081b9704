"""Locks on Redis whose watchdog renews, and whose author asserts that it is silent after a release: in Python and
Node, on the base classes of libraries/languages. A planted bug leaves the watchdog running; the twin is sound. The lock
itself is correct in both: only the assertion tells them apart.
"""

import json
import shutil

from program import SOURCE

LANGUAGES = SOURCE / "libraries" / "languages"
SILENT = "no renewal after release"
BUSY = "the lock was busy"

PYTHON = '''import threading

import redis
from holdfast_adapter import Adapter, always, reached, serve, sometimes
from redis.backoff import NoBackoff
from redis.retry import Retry

RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"
FREE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"


class Lock(Adapter):
    CAN = ("background",)

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.redis = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0))
        self.owner = hello["owner"]
        self.guard = threading.Lock()

    def acquire(self, ask):
        value, over = f"{self.owner}:{ask['n']}", threading.Event()
        got = self.redis.set(ask["lock"], value, nx=True, px=ask["lease_ms"])
        sometimes(not got, "the lock was busy")
        if not got:
            return "busy"
        self.held[self.key(ask)] = value, over
        threading.Thread(target=self.watch, args=(ask, value, over), daemon=True).start()
        return "ok"

    def watch(self, ask, value, over):
        reached("a watchdog began")
        while not over.wait(ask["lease_ms"] / 3000):
            with self.guard:
                if over.is_set():
                    break
                held = self.held.get(self.key(ask), ("", None))[0]
                always(held == value, "no renewal after release", f"{value} after {held}")
            self.redis.eval(RENEW, 1, ask["lock"], value, ask["lease_ms"])

    def release(self, ask):
        value, over = self.held[self.key(ask)]
        with self.guard:
            over.set()
        return "ok" if self.redis.eval(FREE, 1, ask["lock"], value) else "not_held"


serve(Lock, redis.__version__)
'''
PYTHON_BUG = "            over.set()\n", "            pass\n"

NODE = '''const net = require('net');
const { Adapter, always, reached, serve, sometimes } = require('./holdfast_adapter.js');

const mine = (what) => `if redis.call('get', KEYS[1]) == ARGV[1] then return ${what} else return 0 end`;
const RENEW = mine("redis.call('pexpire', KEYS[1], ARGV[2])");
const FREE = mine("redis.call('del', KEYS[1])");

class Lock extends Adapter {
  constructor(hello) {
    super(hello, ['background']);
    const [{ host, port }] = hello.servers;
    this.waiting = [];
    this.socket = net.connect(port, host);
    this.socket.on('data', (bytes) => { // replies of one line, or "$-1"
      for (const line of String(bytes).split('\\r\\n').filter(Boolean)) this.waiting.shift()(line);
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => this.waiting.splice(0).forEach((done) => done('-closed')));
  }

  ask(...words) {
    const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\\r\\n${word}\\r\\n`);
    return new Promise((done, failed) => {
      this.waiting.push((line) => (line[0] === '-' ? failed(new Error(line)) : done(line)));
      this.socket.write(`*${words.length}\\r\\n${parts.join('')}`);
    });
  }

  async acquire(ask) {
    const value = `${this.hello.owner}:${ask.n}`;
    const got = (await this.ask('SET', ask.lock, value, 'PX', ask.lease_ms, 'NX')) === '+OK';
    sometimes(!got, 'the lock was busy');
    if (!got) return 'busy';
    reached('a watchdog began');
    const timer = setInterval(() => this.watch(ask, value), ask.lease_ms / 3);
    this.held.set(this.key(ask), { value, timer });
    return 'ok';
  }

  watch(ask, value) {
    const held = (this.held.get(this.key(ask)) || {}).value;
    always(held === value, 'no renewal after release', `${value} after ${held}`);
    this.ask('EVAL', RENEW, 1, ask.lock, value, ask.lease_ms).catch(() => {});
  }

  async release(ask) {
    const { value, timer } = this.held.get(this.key(ask));
    clearInterval(timer);
    return (await this.ask('EVAL', FREE, 1, ask.lock, value)) === ':1' ? 'ok' : 'not_held';
  }
}

serve('..', (hello) => new Lock(hello));
'''
NODE_BUG = "    clearInterval(timer);\n", ""

BASES = {"python": "holdfast_adapter.py", "node": "holdfast_adapter.js"}
SOURCES = {"python": (PYTHON, PYTHON_BUG, "lock.py"), "node": (NODE, NODE_BUG, "lock.js")}
COMMANDS = {"python": ["/usr/bin/python3", "./lock.py"], "node": ["node", "./lock.js"]}


def write(folder, language, name, bug=False, **facts):
    """Writes the adapter's folder FOLDER/NAME and returns its path; `facts` are keys of lock.json."""
    source, (old, new), file = SOURCES[language]
    assert old in source
    into = folder / name
    into.mkdir()
    (into / file).write_text(source.replace(old, new) if bug else source)
    shutil.copy(LANGUAGES / language / BASES[language], into)
    (into / "package.json").write_text(json.dumps({"name": name, "version": "1.0.0"}))
    can = ["background"] if language == "python" else ["background", "block", "threads"]
    manifest = {
        "name": name,
        "command": COMMANDS[language],
        "language": language,
        "servers": ["redis"],
        "can": can,
        "assertions": [{"kind": "always", "name": SILENT}, {"kind": "sometimes", "name": BUSY}],
        **facts,
    }
    (into / "lock.json").write_text(json.dumps(manifest, indent=1))
    return into
