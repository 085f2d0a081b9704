#include "tests/adapter/python_adapter.hpp"

#include <filesystem>
#include <optional>

namespace holdfast::tests {
namespace {

constexpr const char* kProgram = R"py(
import fcntl, json, os, signal, subprocess, sys, threading, time

folder, mistake = sys.argv[1], sys.argv[2]
CAN = ["renew", "owned", "cancel", "block", "threads", "reenter", "wait", "lost", "shared"]
writing = threading.Lock()
files = threading.Lock()
cancelled, watched = set(), {}
client = 0

def say(message):
    with writing:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

def answer(n, what, **more):
    say({"n": n, "is": what, **more})

def stored():
    try:
        with open(folder + "/store.json") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"token": 0, "locks": {}}

class Store:
    # One JSON file, replaced under an exclusive lock of the file system.
    def __enter__(self):
        files.acquire()
        self.file = open(folder + "/store.lock", "a")
        fcntl.flock(self.file, fcntl.LOCK_EX)
        self.all = stored()
        return self
    def __exit__(self, *_):
        with open(folder + "/store.new", "w") as file:
            json.dump(self.all, file)
        os.rename(folder + "/store.new", folder + "/store.json")
        self.file.close()
        files.release()
    def holders(self, key):
        now = time.time()
        held = [h for h in self.all["locks"].get(key, []) if h["until"] > now]
        self.all["locks"][key] = held
        return held

def me(m):
    return "%s/%s" % (client, m.get("thread", 0))

def try_once(m):
    with Store() as store:
        held = store.holders(m["lock"])
        shared = m.get("mode") == "shared"
        mine = [h for h in held if h["who"] == me(m)]
        if mine and not shared:
            if mistake == "no_reenter":
                return None
            mine[0]["depth"] += 1
        elif held and not (shared and all(h["shared"] for h in held)):
            own = held[0]["who"].split("/")[0] == str(client)
            if mistake != "grants_twice" and not (mistake == "threads_share" and own):
                return None
        else:
            held.append({"who": me(m), "until": time.time() + m["lease_ms"] / 1000, "depth": 1, "shared": shared})
        store.all["token"] += 0 if mistake == "same_token" else 1
        return max(store.all["token"], 1)

def acquire(m):
    until = time.time() + (0 if mistake == "never_waits" else m.get("wait_ms", 1e9) / 1000)
    if mistake == "always_busy":
        return answer(m["n"], "busy")
    while True:
        token = try_once(m)
        if token is not None:
            watched[m["lock"]] = (me(m), m["lease_ms"])
            more = {"lease_ms": 900} if mistake == "says_its_lease" else {}
            return answer(m["n"], "ok", **more, **({} if mistake == "no_token" else {"token": token}))
        if m["n"] in cancelled and mistake != "deaf_to_cancel":
            answer(m["n"], "busy")
            while mistake == "leaves_an_orphan" and try_once({**m, "thread": "nobody's"}) is None:
                time.sleep(0.01)
            return
        if time.time() >= until:
            return answer(m["n"], "busy")
        time.sleep(0.01)

def change(m, what):
    with Store() as store:
        held = store.holders(m["lock"])
        mine = [h for h in held if h["who"] == me(m)]
        if what == "owned":
            return answer(m["n"], "yes" if mine or mistake == "owns_all" else "no")
        if not mine:
            silent = mistake == "unsure_" + what
            return answer(m["n"], "ok" if mistake == what + "s_nothing" else "info" if silent else "not_held")
        if mistake == "keeps" and what == "release":
            return answer(m["n"], "ok")
        if what == "renew":
            until = mine[0]["until"]
            mine[0]["until"] = time.time() + 1
            if mistake == "fails_renew":
                return answer(m["n"], "fail", why="no")
            if mistake == "renews_in_words":
                mine[0]["until"] = until
        else:
            mine[0]["depth"] -= 1
            if mistake == "forgets_depth" or mine[0]["depth"] == 0:
                held.remove(mine[0])
                watched.pop(m["lock"], None)
        unsure = mistake == "unsure_" + what or mistake == "renews_in_words" and what == "renew"
        answer(m["n"], "info" if unsure else "ok")

def watch():
    while True:
        time.sleep(0.02)
        for key, (who, lease_ms) in list(watched.items()):
            held = stored()["locks"].get(key, [])  # without the lock: who is stopped here must stop nobody else
            gone = not [h for h in held if h["who"] == who and h["until"] > time.time()]
            if gone and watched.pop(key, None) and mistake != "silent_loss":
                say({"is": "lost", "lock": key})

def serve(m):
    do, n = m["do"], m.get("n")
    if do == "hello":
        global client
        client = m["client"]
        if mistake == "not_ready":
            return time.sleep(60)
        if mistake == "cannot_begin":
            return answer(n, "fail", why="no such server")
        can = ["renew"] if mistake == "other_can" else CAN
        name = "somebody" if mistake == "other_name" else "files"
        more = {"assertions": [{"kind": "always", "name": "a retry"}]} if mistake == "other_kind" else {}
        answer(n, "ready", v=2 if mistake == "version_2" else 1, name=name, version="1.2.3", can=can, **more)
        for name in {"asserts_false": ["sound", "broken"], "asserts_true": ["sound"]}.get(mistake, []):
            say({"is": "always", "name": name, "holds": name == "sound", "why": "in ready"})
        threading.Thread(target=watch, daemon=True).start()
        if mistake == "says_leader":
            say({"is": "leader", "lock": "check_1", "holder": ""})
    elif do == "acquire" and mistake == "endless_line_for_an_answer":
        sys.stdout.write("x" * 200000)
        sys.stdout.flush()
    elif do == "acquire" and mistake == "dies_and_leaves_a_child":
        subprocess.Popen(["sleep", "30"], start_new_session=True)  # which has its output
        os._exit(0)
    elif do == "acquire":
        if mistake == "sequential":
            return acquire(m)
        threading.Thread(target=acquire, args=(m,), daemon=mistake != "lingers").start()
    elif do in ("renew", "release", "owned"):
        change(m, do)
    elif do == "cancel":
        cancelled.add(m["of"])
        answer(n, "ok")
    elif do == "block":
        if mistake == "blocks_all":
            time.sleep(m["ms"] / 1000)
        if mistake in ("blocks_all", "blocks_nothing"):
            return answer(n, "ok")
        threading.Timer(m["ms"] / 1000, answer, (n, "ok")).start()
    elif do == "pulse":
        pulse(n)

def pulse(n):
    if mistake == "slow_pulse":
        time.sleep(1.3)
    if mistake == "junk":
        print("connected to server", flush=True)
    if mistake == "dies":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if mistake == "half_a_line":
        sys.stdout.write('{"n":')
        sys.stdout.flush()
        os._exit(0)
    if mistake == "stops_itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    if mistake == "says_loss_without_end":
        sys.stdout.write(json.dumps({"is": "lost", "lock": "check_1"}) + "\n" + "\n".join(
            json.dumps({"is": "lost", "lock": "other_%d" % i}) for i in range(10000)) + "\n")
    if mistake == "logs_much":
        sys.stdout.write((json.dumps({"is": "log", "text": "x"}) + "\n") * 5000)
    for kind in {"two_kinds": ["always", "sometimes"]}.get(mistake, []):
        say({"is": kind, "name": "both", "holds": True})
    if mistake == "stranger":
        return answer(n + 1000, "ok")
    if mistake == "never_answers":
        return
    answer(n, "busy" if mistake == "wrong_word" else "ok", wall_ms=int(time.time() * 1000))
    if mistake == "twice":
        answer(n, "ok")
    if mistake == "endless_line":
        sys.stdout.write("x" * 200000)
        sys.stdout.flush()

if mistake == "orphan":
    subprocess.Popen(["sleep", "30"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
for line in sys.stdin:
    message = json.loads(line)
    if message["do"] == "bye":
        if mistake == "talks_at_the_end":
            print("bye", flush=True)
        if mistake in ("ignores_end",):
            continue
        os._exit(4 if mistake == "bad_exit" else 0)
    serve(message)
if mistake in ("ignores_end", "lingers"):
    time.sleep(60)
os._exit(0)
)py";

}  // namespace

PythonAdapter::PythonAdapter() {
  folder_.write("adapter.py", kProgram);
}

Manifest PythonAdapter::manifest() const {
  return read_manifest(
      R"({"name": "files", "command": ["python3", "./adapter.py"], "servers": [], "fenced": true,
          "library": {"name": "files", "version": "1.2.3"}, "can": ["renew",
          "owned", "cancel", "block", "threads", "reenter", "wait", "lost", "shared"],
          "assertions": [{"kind": "sometimes", "name": "a retry"}]})",
      folder_.file("lock.json"));
}

AdapterCommand PythonAdapter::command(const std::string& mistake) const {
  const Manifest of = manifest();
  auto words = found_command(of);
  words.insert(words.end(), {folder_.path(), mistake});
  return {words, adapter_environment(of), log()};
}

AdapterMessage PythonAdapter::hello(std::int64_t client) const {
  return {.client = client,
          .seed = 1,
          .lease_ms = kPythonLease_ms,
          .owner = "owner-" + std::to_string(client),
          .locks = std::vector<std::string>{},
          .servers = std::vector<AdapterServer>{},
          .options = std::optional<nlohmann::json>(std::in_place, nlohmann::json::object())};
}

AdapterCommand shell_adapter(const TemporaryFolder& folder, const std::string& script) {
  Manifest manifest;
  manifest.command = {"sh", "-c", script};
  return {found_command(manifest), adapter_environment(manifest), folder.file("stderr.log")};
}

}  // namespace holdfast::tests
