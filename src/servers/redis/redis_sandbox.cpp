#include "servers/redis/redis_sandbox.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "artifact/error.hpp"
#include "servers/redis/start_redis.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSandboxPatience_ms = 20'000;
constexpr std::chrono::milliseconds kLook{500};
constexpr std::int64_t kLeast_ms = 1000;
constexpr const char* kRegister = "holdfast_runs";
constexpr std::int64_t kMostNames = 1'000'000;  // of one run; takes a few seconds to remove

RedisAddress patient(const Target& target) {
  RedisAddress out = redis_address(target);
  out.timeout_ms = kSandboxPatience_ms;
  return out;
}

std::string life_of(const std::string& run) {
  return run + "_alive";
}

// Values allowed in the register: at most nine digits, and nothing else.
std::optional<std::int64_t> number_of(const std::string& text) {
  constexpr std::size_t kMostDigits = 9;
  std::int64_t out = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text.size() > kMostDigits || std::from_chars(text.data(), end, out).ptr != end) return {};
  return out < 0 ? std::nullopt : std::optional(out);
}

std::string number_text(std::int64_t n) {
  return std::to_string(n);
}

}  // namespace

RedisSandbox::RedisSandbox(const Target& target, std::string run)
    : target_(target), run_(std::move(run)), db_(patient(target)) {
  db_.connect();
}

RedisSandbox::~RedisSandbox() {
  {
    const std::lock_guard guard(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (watch_.joinable()) watch_.join();
  try {
    RedisSandbox::close();
  } catch (const std::exception&) {  // the next run removes it
  }
}

// Retries once if the connection was cut off; executing these commands twice is harmless.
Reply RedisSandbox::ask(const std::vector<std::string>& command) {
  for (bool again = false;; again = true) {
    try {
      return db_.command(command);
    } catch (const StatementFailed& failed) {
      if (again || failed.reason == Reason::timeout) {
        throw HarnessError(std::string("the target does not answer: ") + failed.what());
      }
    }
  }
}

Reply RedisSandbox::must(const std::vector<std::string>& command) {
  Reply reply = ask(command);
  if (!reply.ok()) throw HarnessError(reply.message + " in: " + command.front());
  return reply;
}

// A foreign key may have this name: its contents are not trusted then.
std::map<std::string, RedisSandbox::Entry> RedisSandbox::read_register() {
  const std::string foreign =
      std::string("there is a key ") + kRegister + " that does not belong to holdfast; nothing was changed";
  std::map<std::string, Entry> out;
  if (must({"EXISTS", kRegister}).affected == 0) return out;
  const Reply all = ask({"HGETALL", kRegister});
  if (!all.ok()) throw HarnessError(foreign);
  for (std::size_t i = 0; i + 1 < all.rows.size(); i += 2) {
    const std::string& name = all.text(i, 0);
    const std::string& text = all.text(i + 1, 0);
    const auto blank = text.find(' ');
    const auto trials = number_of(text.substr(0, blank));
    const auto keys = blank == std::string::npos ? std::nullopt : number_of(text.substr(blank + 1));
    if (!is_run_name(name) || !trials || !keys) throw HarnessError(foreign);
    out[name] = {*trials, *keys};
  }
  return out;
}

void RedisSandbox::begin() {
  read_register();
  if (must({"HSETNX", kRegister, run_, "0 0"}).affected == 0) throw HarnessError("another run has the name " + run_);
  open_ = true;
  must({"SET", life_of(run_), "1", "PX", number_text(kSandboxPatience_ms)});
  try {
    watch_ = std::thread([this] { watch(); });
  } catch (const std::system_error& failed) {
    throw HarnessError(std::string("no thread to guard the data on the target: ") + failed.what());
  }
}

void RedisSandbox::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return over_; })) {
    try {
      if (open_ && own_.trials > 0) claim();
    } catch (const std::exception&) {  // the next look reconnects, and detects losses
    }
  }
}

// Restores the entry and the sign of life. If one was lost, others may have considered all keys abandoned since then:
// that is a gap for each active trial.
void RedisSandbox::claim() {
  if (must({"HEXISTS", kRegister, run_}).affected == 0 || must({"EXISTS", life_of(run_)}).affected == 0) ++gaps_;
  must({"HSET", kRegister, run_, number_text(own_.trials) + " " + number_text(own_.keys)});
  const auto left = alive_until_ - std::chrono::steady_clock::now();
  const auto left_ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
  must({"SET", life_of(run_), "1", "PX", number_text(std::max(left_ms, kLeast_ms))});
}

std::vector<std::string> RedisSandbox::keys(const std::string& run, std::int64_t trial, std::int64_t count) const {
  std::vector<std::string> out;
  for (std::int64_t k = 0; k < count; ++k) out.push_back(run + "_" + number_text(trial) + "_k" + number_text(k));
  return out;
}

// A trial is registered before its first key is created.
Target RedisSandbox::begin_trial(const Plan& plan, std::int64_t longest_ms) {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> command{"EXISTS"};
  const std::int64_t trial = own_.trials + 1;
  for (auto& key : keys(run_, trial, plan.load.keys)) command.push_back(std::move(key));
  if (must(command).affected != 0) {
    throw HarnessError("the target has a key " + command[1] + " or a similar one, which does not belong to this run");
  }
  const Entry next{trial, std::max(own_.keys, plan.load.keys)};
  if (names_of(next) > kMostNames) {
    throw HarnessError("this run has used more keys on the target than its register can list, " +
                       number_text(kMostNames) + "; remedy: start a new run");
  }
  own_ = next;
  const auto now = std::chrono::steady_clock::now();
  alive_until_ = std::max(alive_until_, now + std::chrono::milliseconds(longest_ms));  // a longer one may still run
  claim();
  Target out = target_;
  out.prefix = run_ + "_" + number_text(trial) + "_";
  gaps_before_[out.prefix] = gaps_;
  return out;
}

void RedisSandbox::end_trial(const Target& there) {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> command{"DEL"};
  for (std::int64_t k = 0; k < own_.keys; ++k) command.push_back(there.prefix + "k" + number_text(k));
  must(command);
  claim();
  const auto before = gaps_before_.extract(there.prefix);
  if (before && before.mapped() == gaps_) return;
  throw HarnessError(std::string("this run was no longer in the register ") + kRegister +
                     " on the target, or its sign of life was missing: another run may have removed its keys, so this "
                     "trial has no result");
}

// Removes all keys again: a late command of a killed client may have created one.
void RedisSandbox::remove(const std::string& run, const Entry& entry) {
  constexpr std::size_t kAtOnce = 1000;
  std::vector<std::string> command{"DEL"};
  for (std::int64_t trial = 1; trial <= entry.trials; ++trial) {
    for (auto& key : keys(run, trial, entry.keys)) {
      command.push_back(std::move(key));
      if (command.size() <= kAtOnce) continue;
      must(command);
      command.resize(1);
    }
  }
  if (command.size() > 1) must(command);
  must({"DEL", life_of(run)});
  must({"HDEL", kRegister, run});
}

std::vector<std::string> RedisSandbox::close() {
  const std::lock_guard guard(mutex_);
  if (!std::exchange(open_, false)) return {};
  try {
    remove(run_, own_);
  } catch (const HarnessError& failed) {
    return {"left on the target " + target_.place() + ": keys " + run_ + "_... and their entry in " + kRegister + " (" +
            failed.what() + "); remedy: holdfast clean --target"};
  }
  return {};
}

// An entry's contents are claims of its writer. They are trusted only within what a run of holdfast can reach.
Sweep RedisSandbox::sweep() {
  const std::lock_guard guard(mutex_);
  Sweep out;
  std::int64_t left = kMostNames;
  for (const auto& [run, entry] : read_register()) {
    if (run == run_) continue;
    const std::string what = "keys " + run + "_...";
    const std::string by_hand = "; remedy: HDEL " + std::string(kRegister) + " " + run;
    if (const std::int64_t life_ms = must({"PTTL", life_of(run)}).affected; life_ms > 0) {
      out.done.push_back(what + " may belong to a running run; not removed: this will be known in " +
                         number_text(life_ms / 1000 + 1) + " s");
    } else if (names_of(entry) > kMostNames) {
      out.done.push_back(what + ": the register has " + number_text(entry.trials) + " trials of " +
                         number_text(entry.keys) + " keys for it, more than any run has; not removed" + by_hand);
    } else if (names_of(entry) > left) {
      out.done.push_back(what + ": too many to search at once; not removed; remedy: run holdfast clean again");
    } else {
      left -= names_of(entry);
      remove(run, entry);
      out.done.push_back(what + " of an interrupted run: removed");
    }
  }
  return out;
}

}  // namespace holdfast
