#include "explore/story.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "explore/fingerprint.hpp"

namespace holdfast {
namespace {

class StatementNames {
 public:
  static StatementNames& all() {
    static StatementNames names;
    return names;
  }
  std::uint32_t number(std::string_view name) {
    const std::lock_guard guard(mutex_);
    auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end()) known = names_.insert(known, std::string(name));
    return static_cast<std::uint32_t>(known - names_.begin()) + 1;
  }
  std::string name(std::uint32_t number) {
    const std::lock_guard guard(mutex_);
    return number == 0 ? "nothing" : names_.at(number - 1);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> names_;
};

std::uint64_t print_of_step(const StoryStep& step) {
  return Fingerprint(step.statement).add(static_cast<int>(step.op)).add(step.background ? 1 : 0).value();
}

// "release.del", or "acquire" if the statement has the operation's name.
std::string step_text(const StoryStep& step) {
  const std::string name = StatementNames::all().name(step.statement);
  const std::string op = step.op == Op::write ? "" : to_text(step.op);
  const std::string text = op.empty() || op == name ? name : op + "." + name;
  if (!step.background) return text;
  return (step.op == Op::renew ? "watchdog " : "background ") + text;
}

const char* fault_text(WordKind kind) {
  switch (kind) {
    case WordKind::lost:
      return "lost reply of ";
    case WordKind::late:
      return "late arrival of ";
    case WordKind::cut:
      return "cut session of ";
    case WordKind::crash:
      return "crash of ";
    case WordKind::ahead:
      return "fast clock of ";
    case WordKind::behind:
      return "slow clock of ";
    case WordKind::step:
    case WordKind::time:
    case WordKind::arrives:
    case WordKind::victim:
      break;
  }
  return "";
}

}  // namespace

std::uint32_t number_of_statement(std::string_view name) {
  return StatementNames::all().number(name);
}

void ScheduleStory::answered(std::uint32_t client, Op op, bool ok) {
  Side& side = sides_[client];
  side.under_way = false;
  if (ok && op != Op::write && side.last && !side.effective) took_effect(client);  // for example GET_LOCK
  if (op == Op::acquire && ok) {
    side.holds = side.granted = side.left = true;
    side.background_before = std::exchange(background_change_, {});
    side.background_before_of = background_client_;
  }
  if (op == Op::release) side.holds = false;
}

void ScheduleStory::executed(std::uint32_t client, const StoryStep& step, bool changed) {
  Side& side = sides_[client];
  side.last = step;
  if (side.refused.statement == step.statement) side.refused = {};  // it is tried again
  side.passed = side.effective = false;
  last_ = client;
  if (changed) took_effect(client);
}

void ScheduleStory::refused(std::uint32_t client, const std::string& error) {
  sides_[client].refused = sides_[client].last;
  sides_[client].error = number_of_statement(error);
}

void ScheduleStory::took_effect(std::uint32_t client) {
  Side& side = sides_[client];
  side.effective = true;
  side.granted = false;
  if (side.last.op == Op::release) side.left = false;
  side.effect = side.last;
  side.met_at_effect = side.met;
  last_effect_ = client;
  if (side.last.background) {
    background_change_ = side.last;
    background_client_ = client;
  }
  for (std::uint32_t other = 0; other < kMostClients; ++other) {
    Side& met = sides_[other];
    if (other == client) continue;
    const bool open = met.open() && met.last;
    met.met = {open ? met.last : StoryStep{}, side.last, client, open && met.passed};
  }
}

void ScheduleStory::struck(std::uint32_t client, WordKind by, const StoryStep& step) {
  strikes_.push_back({client, by, step});
}

void ScheduleStory::time_passed() {
  for (auto& side : sides_) side.passed = side.met.passed = true;
}

ScheduleStory::Told ScheduleStory::told(bool stuck) const {
  const std::uint32_t client = stuck ? last_effect_ : last_;
  if (client == kNobody) return {};
  const Side& side = sides_[client];
  Told out{client, stuck ? side.effect : side.last, stuck ? side.met_at_effect : side.met};
  // A client that released before, and did not interfere, is not part of it.
  const bool part = out.met.before || (out.met.who != kNobody && sides_[out.met.who].open());
  if (!part) out.met = {};
  return out;
}

std::uint64_t ScheduleStory::print(bool stuck) const {
  const Told it = told(stuck);
  Fingerprint out(stuck ? 1 : 0);
  out.add(print_of_step(it.decisive)).add(print_of_step(it.met.before)).add(print_of_step(it.met.other));
  out.add(it.met.other && it.met.passed ? 1 : 0);
  std::uint64_t strikes = 0;  // their order makes no difference
  for (const auto& one : strikes_) {
    strikes +=
        Fingerprint(one.client == it.client ? 1 : 0).add(static_cast<int>(one.by)).add(print_of_step(one.step)).value();
  }
  return out.add(strikes).value();
}

std::string ScheduleStory::text(bool stuck) const {
  const Told it = told(stuck);
  const auto named = [&](const StoryStep& step) { return step_text(step); };
  std::string out = it.decisive ? named(it.decisive) + " of one client" : "no statement";
  if (it.met.before) {
    out = "between " + named(it.met.before) + " and " + out + ", " + named(it.met.other) + " of another";
  } else if (it.met.other) {
    out += ", after " + named(it.met.other) + " of another, which has not released";
  }
  if (it.met.other && it.met.passed) out += "; time passed";
  std::vector<std::string> strikes;
  for (const auto& one : strikes_) {
    const std::string who = one.client == it.client ? "one" : "another";
    const bool after = one.by == WordKind::crash || one.by == WordKind::cut;
    const bool statement = one.by == WordKind::lost || one.by == WordKind::late;
    strikes.push_back(fault_text(one.by) + who + (statement ? "'s " + named(one.step) : "") +
                      (after && one.step ? " after " + named(one.step) : ""));
  }
  std::sort(strikes.begin(), strikes.end());
  for (const auto& strike : strikes) out += "; " + strike;
  return out;
}

// A holder whose acquire was granted although the server refused one of its statements; empty: there is none.
std::string ScheduleStory::swallowed_error() const {
  for (const Side& side : sides_) {
    if (!side.holds || !side.refused || side.refused.op != Op::acquire) continue;
    return "the server answers " + step_text(side.refused) + " with " + StatementNames::all().name(side.error) +
           ", and acquire says granted all the same. Check each answer; report the error, or begin the whole " +
           "transaction again.";
  }
  return "";
}

// The last effect is an acquire's, whose client was never told of a grant: the lock itself, or its place in a queue. An
// entry of a holder that died may keep the others out as well.
std::string ScheduleStory::flaw_of_stuck() const {
  const Told it = told(true);
  const bool kept = std::any_of(sides_.begin(), sides_.end(), [](const Side& side) { return side.left; });
  if (kept || !it.decisive || it.decisive.op != Op::acquire || sides_[it.client].granted) return "";
  return step_text(it.decisive) +
         " takes effect, but its client is not granted the lock afterwards, and no client can " +
         "acquire it any more. Give what it writes an end in the same request, and have others remove entries of " +
         "waiters and holders that died.";
}

StuckBy ScheduleStory::stuck_by(std::uint32_t client) const {
  const Side& side = sides_.at(client);
  if (!side.last) return {};
  const std::string step = step_text(side.last);
  const std::string never =
      " an entry that never expires or is never taken over: no client can acquire the lock any more. ";
  StuckBy out{step + " of one client", ""};
  if (side.last.op == Op::release) {
    out.flaw = step + " leaves" + never + "Delete the whole entry.";
  } else if (side.last.op == Op::acquire && side.effective) {
    out.flaw = step + " makes" + never +
               "Give the entry its end in the same request, and let an acquire take over what has ended.";
  } else if (side.last.op == Op::acquire) {
    out.call += " that is refused";
    out.flaw =
        step + ", although it is refused, leaves" + never + "Change nothing while another client holds the lock.";
  } else {
    out.flaw = step + (side.effective ? "" : ", although it does not find its own lock,") + " leaves" + never +
               "Compare the owner before anything is written, and write nothing without an end.";
  }
  return out;
}

// Except for `stuck`, a fault may be all that is needed, so a story with one names no mistake by itself.
std::string ScheduleStory::flaw(const std::string& invariant) const {
  if (invariant == "stuck") return flaw_of_stuck();
  const Told it = told(false);
  if (!strikes_.empty() || !it.decisive) return "";
  if (invariant == "two_holders") return it.met.other ? flaw_of_two_holders(it) : "";
  if (invariant != "lost_inside_lease") return "";
  const bool by_background = background_change_ && !it.decisive.background &&
                             (!it.met.other || (it.met.other.background && it.met.who == background_client_));
  if (by_background) {
    const std::string whose = background_client_ == it.client ? "the holder itself" : "another client";
    return step_text(it.decisive) + " finds the lock gone before its lease has ended; before it came " +
           step_text(background_change_) + " of " + whose +
           ". Check whether that request deletes, overwrites or shortens the entry.";
  }
  if (it.met.other) return "";
  return step_text(it.decisive) +
         " finds the lock gone before its lease has ended, and no acquire, renewal or release of another client came " +
         "between. Look for what else deletes or overwrites its entry, such as a clean-up job or a background " +
         "thread, or gives it a shorter time than the lease.";
}

// The holder has not released, and what let the other client in is work that no call of a client asked for.
std::string ScheduleStory::flaw_of_background(const Told& it) const {
  const Side& side = sides_[it.client];
  if (!side.background_before || !side.granted || it.met.before) return "";
  const std::string whose = side.background_before_of == it.client    ? "the client that is granted next"
                            : side.background_before_of == it.met.who ? "the holder"
                                                                      : "another client";
  return step_text(side.background_before) + " of " + whose + " comes first, and then " + step_text(it.decisive) +
         " is granted, although the holder has not released. Check whether that request deletes, overwrites or " +
         "shortens the entry.";
}

std::string ScheduleStory::flaw_of_two_holders(const Told& it) const {
  if (const std::string swallowed = swallowed_error(); !swallowed.empty()) return swallowed;
  if (const std::string background = flaw_of_background(it); !background.empty()) return background;
  const std::string decisive = step_text(it.decisive);
  const std::string other = step_text(it.met.other);
  if (decisive == "acquire.rollback") {
    return "acquire ends with ROLLBACK, which undoes what it wrote, and is granted all the same. Commit before that: "
           "a " +
           std::string("connection that goes back to a pool inside a transaction is rolled back.");
  }
  if (decisive.find("advisory_xact_lock") != std::string::npos) {
    return decisive +
           " takes a lock that ends with its transaction, or with the statement itself outside of one, while the " +
           "holder continues. Keep the transaction open as long as the lock is held, or use pg_try_advisory_lock.";
  }
  const StoryStep& nothing = sides_[it.client].nothing;
  if (it.met.before && nothing && !sides_[it.client].nothing_locks) {
    return step_text(nothing) +
           " is a plain SELECT: it locks nothing, and may read an older snapshot, so it does not " + "see " + other +
           " of another client. Read with FOR UPDATE, or have the statement that takes the lock " +
           "repeat the condition.";
  }
  if (it.met.before && nothing) {
    return step_text(nothing) + " finds no row, and so locks nothing: between " + step_text(nothing) + " and " +
           decisive + ", " + other +
           " of another client came. Let the database refuse a second row (a unique key), or lock a row " +
           "that always exists.";
  }
  if (it.met.before && it.met.passed) {
    return "time passes between " + step_text(it.met.before) + " and " + decisive + ", and " + decisive +
           " does not check that the lock is still the client's own. Put the check into " + decisive + ".";
  }
  if (it.met.before) {
    return step_text(it.met.before) + " and " + decisive + " are two steps, and " + decisive +
           " takes effect although " + other +
           " of another client came between them. Make them one atomic step, or have " + decisive +
           " repeat the condition.";
  }
  if (it.met.passed) {
    return decisive +
           " takes the lock before the holder's lease has ended. Check how the end of a lease is stored and " +
           "compared: a type or a function without fractions of a second cuts it short.";
  }
  return decisive + " succeeds while another client holds the lock after " + other + ". Check what makes the key " +
         "unique, and whether two clients can have the same owner.";
}

}  // namespace holdfast
