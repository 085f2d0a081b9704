#include "suite/redis_place.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kPatience_ms = 20'000;
constexpr const char* kRegister = "holdfast_runs";

RedisAddress patient(const Target& target) {
  RedisAddress out = target.redis();
  out.timeout_ms = kPatience_ms;
  return out;
}

std::string life_of(const std::string& run) {
  return run + "_alive";
}

std::string number_text(std::int64_t n) {
  return std::to_string(n);
}

}  // namespace

RedisPlace::RedisPlace(const Target& target, std::string run)
    : target_(target), run_(std::move(run)), db_(patient(target)) {
  db_.connect();
}

RedisPlace::~RedisPlace() {
  try {
    RedisPlace::close();
  } catch (const std::exception&) {  // the next run takes it away
  }
}

Reply RedisPlace::must(const std::vector<std::string>& command) {
  try {
    Reply reply = db_.command(command);
    if (!reply.ok()) throw HarnessError(reply.message + " in: " + command.front());
    return reply;
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  }
}

// Somebody's key may be called like ours: nothing of what it says is believed then.
void RedisPlace::check_register() {
  const std::string foreign =
      std::string("there is a key ") + kRegister + " that is not holdfast's; nothing was touched";
  if (must({"EXISTS", kRegister}).affected == 0) return;
  Reply all;
  try {
    all = must({"HGETALL", kRegister});
  } catch (const HarnessError&) {
    throw HarnessError(foreign);
  }
  static const std::regex kRun("holdfast_[0-9a-f]{8}");
  static const std::regex kEntry("[0-9]{1,9} [0-9]{1,6}");
  for (std::size_t i = 0; i + 1 < all.rows.size(); i += 2) {
    const std::string name = all.field(i, 0).value_or("");
    const std::string entry = all.field(i + 1, 0).value_or("");
    if (!std::regex_match(name, kRun) || !std::regex_match(entry, kEntry)) throw HarnessError(foreign);
  }
}

void RedisPlace::begin() {
  check_register();
  if (must({"HSETNX", kRegister, run_, "0 0"}).affected == 0) throw HarnessError("another run has the name " + run_);
  open_ = true;
  must({"SET", life_of(run_), "1", "PX", number_text(kPatience_ms)});
}

void RedisPlace::note(const std::string& run, const Entry& entry) {
  must({"HSET", kRegister, run, number_text(entry.trials) + " " + number_text(entry.keys)});
}

std::vector<std::string> RedisPlace::keys(const std::string& run, std::int64_t trial, std::int64_t count) const {
  std::vector<std::string> out;
  for (std::int64_t k = 0; k < count; ++k) out.push_back(run + "_" + number_text(trial) + "_k" + number_text(k));
  return out;
}

// A trial is in the register before its first key is made.
Target RedisPlace::begin_trial(const Plan& plan, std::int64_t longest_ms) {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> command{"EXISTS"};
  const std::int64_t trial = own_.trials + 1;
  for (auto& key : keys(run_, trial, plan.load.keys)) command.push_back(std::move(key));
  if (must(command).affected != 0) {
    throw HarnessError("the target has a key " + command[1] + " or like it already, which is not this run's");
  }
  own_ = {trial, std::max(own_.keys, plan.load.keys)};
  const auto now = std::chrono::steady_clock::now();
  alive_until_ = std::max(alive_until_, now + std::chrono::milliseconds(longest_ms));  // a longer one may still run
  const auto left_ms = std::chrono::duration_cast<std::chrono::milliseconds>(alive_until_ - now).count();
  must({"SET", life_of(run_), "1", "PX", number_text(left_ms)});
  note(run_, own_);
  Target out = target_;
  out.prefix = run_ + "_" + number_text(trial) + "_";
  return out;
}

void RedisPlace::end_trial(const Target& there) {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> command{"DEL"};
  for (std::int64_t k = 0; k < own_.keys; ++k) command.push_back(there.prefix + "k" + number_text(k));
  must(command);
}

// All keys once more: a command of a client that was killed may have arrived late.
void RedisPlace::remove(const std::string& run, const Entry& entry) {
  for (std::int64_t trial = 1; trial <= entry.trials; ++trial) {
    std::vector<std::string> command{"DEL"};
    for (auto& key : keys(run, trial, entry.keys)) command.push_back(std::move(key));
    must(command);
  }
  must({"DEL", life_of(run)});
  must({"HDEL", kRegister, run});
}

std::vector<std::string> RedisPlace::close() {
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

std::vector<std::string> RedisPlace::sweep() {
  const std::lock_guard guard(mutex_);
  check_register();
  std::vector<std::string> out;
  const Reply all = must({"HGETALL", kRegister});
  for (std::size_t i = 0; i + 1 < all.rows.size(); i += 2) {
    const std::string run = all.field(i, 0).value();
    const std::string entry = all.field(i + 1, 0).value();
    if (run == run_) continue;
    const std::string what = "keys " + run + "_...";
    if (const std::int64_t left_ms = must({"PTTL", life_of(run)}).affected; left_ms > 0) {
      out.push_back(what + " may be of a run that is at work; left alone: known in " + number_text(left_ms / 1000 + 1) +
                    " s");
      continue;
    }
    const auto blank = entry.find(' ');
    remove(run, {std::stoll(entry.substr(0, blank)), std::stoll(entry.substr(blank + 1))});
    out.push_back(what + " of a run that was cut short: removed");
  }
  return out;
}

}  // namespace holdfast
