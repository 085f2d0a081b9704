#include "history/jepsen_history.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "history/history_line.hpp"

namespace holdfast {
namespace {

using Kind = EdnValue::Kind;

// Number of skipped names to report.
constexpr std::size_t kMostFunctions = 8;
// Largest accepted step back of a time that is read before its line is written.
constexpr std::int64_t kMostBack_ns = 1'000'000'000;

std::int64_t number(const EdnValue& value, const char* name, std::int64_t most) {
  if (value.kind != Kind::integer) throw BadInput(std::string(name) + ": expected an integer of at most 64 bits");
  if (value.integer < 0 || value.integer > most) {
    throw BadInput(std::string(name) + ": must be from 0 to " + std::to_string(most));
  }
  return value.integer;
}

std::string word(const EdnValue& form, const char* name) {
  const EdnValue* value = form.find(name);
  if (!value) throw BadInput(std::string(name) + ": is missing");
  if (value->kind != Kind::keyword && value->kind != Kind::text)
    throw BadInput(std::string(name) + ": expected a keyword");
  return value->text;
}

// A name may be a number, a keyword or a string.
std::string name_of(const EdnValue& value, const char* name) {
  if (value.kind == Kind::integer) return std::to_string(number(value, name, kMaxInteger));
  if (value.kind == Kind::keyword || value.kind == Kind::text) return value.text;
  throw BadInput(std::string(name) + ": expected a number, a keyword or a string");
}

bool op_of_function(const std::string& f, Op& op) {
  if (f == "lock" || f == "unlock") {
    op = f == "lock" ? Op::acquire : Op::release;
    return true;
  }
  return from_text(f, op);
}

// Returns true for the pair of an independent key and its value.
bool keyed(const EdnValue* value) {
  if (!value || value->kind != Kind::list || value->items.size() != 2) return false;
  const Kind first = value->items.front().kind;
  return first == Kind::integer || first == Kind::keyword || first == Kind::text;
}

void read_reason(const EdnValue& form, Event& event) {
  const EdnValue* error = form.find("error");
  if (error && error->kind == Kind::list && !error->items.empty()) error = &error->items.front();
  if (!error || (error->kind != Kind::keyword && error->kind != Kind::text)) return;
  std::string reason = error->text;
  std::replace(reason.begin(), reason.end(), '-', '_');
  if (!from_text(reason, event.reason) || reason.empty()) event.reason = Reason::other;
}

void read_mode(const EdnValue& form, Event& event) {
  if (!form.find("mode")) return;
  const std::string mode = word(form, "mode");
  event.shared = mode == "shared" || mode == "read";
  if (!event.shared && mode != "exclusive" && mode != "write") {
    throw BadInput("unknown mode '" + mode.substr(0, 64) + "'; known: shared, read, exclusive, write");
  }
}

void read_edn_token(const EdnValue& form, Event& event) {
  const EdnValue* value = form.find("value");
  if (keyed(value)) value = &value->items.back();
  for (const EdnValue* in : {&form, value}) {
    for (const char* name : {"token", "fence"}) {
      const EdnValue* token = in ? in->find(name) : nullptr;
      if (token) event.token = static_cast<std::uint64_t>(number(*token, name, kMaxInteger));
    }
  }
}

}  // namespace

std::string TokenOwners::asks(const std::string& process) {
  const int count = std::max(1, names_[process]);
  std::string name = count == 1 ? process : process + "." + std::to_string(count);
  if (begun_ && owns(name)) name = process + "." + std::to_string(names_[process] = count + 1);
  return name;
}

std::string TokenOwners::gives(const std::string& process, std::uint64_t token) {
  begun_ = true;
  const auto owner = owners_.find(token);
  if (owner == owners_.end()) return process;
  const auto busy = [&](const auto& open) { return open.second == owner->second && open.first != process; };
  return std::any_of(open_.begin(), open_.end(), busy) ? process : owner->second;
}

std::string TokenOwners::answered(const std::string& process) const {
  const auto open = open_.find(process);
  return open == open_.end() ? process : open->second;
}

void TokenOwners::granted(const std::string& name, std::uint64_t token) {
  owners_[token] = name;
  token_of_[name] = token;
}

void TokenOwners::given_back(const std::string& name) {
  const auto token = token_of_.find(name);
  if (token == token_of_.end()) return;
  owners_.erase(token->second);
  token_of_.erase(token);
}

bool JepsenHistory::next(Event& event) {
  while (forms_.next(form_)) {
    try {
      if (!read(event)) continue;
      rules_.admit(event, line_);
      note_not_held(event);
    } catch (const BadInput& e) {
      throw BadInput(place() + ": " + e.what());
    }
    return true;
  }
  if (!of_a_lock_) refuse_without_lock();
  return false;
}

void JepsenHistory::refuse_without_lock() const {
  if (rules_.events() == 0 && passed_over_ == 0) {
    throw BadInput(path() + ": is empty: a history has at least one operation");
  }
  std::set<std::string> seen = functions_;
  if (rules_.events() > 0) seen.insert("write");
  std::string names;
  for (const std::string& name : seen) names += (names.empty() ? "" : ", ") + name;
  const bool of_a_register = seen.count("cas") > 0 || (seen.count("read") > 0 && seen.count("write") > 0);
  throw BadInput(path() + ": has no acquire or release; its operations are " + names +
                 (of_a_register ? ", those of a register" : "") + "; holdfast judges only histories of locks");
}

void JepsenHistory::pass_over(const std::string& function) {
  if (functions_.size() < kMostFunctions) functions_.insert(function.substr(0, 64));
  if (passed_over_++ == 0) first_passed_over_ = position();
}

// Returns false for lines that are not a client's lock operation.
bool JepsenHistory::read(Event& event) {
  clear(event);
  line_.has_index = line_.has_time = line_.has_key = line_.has_client = false;
  if (form_.kind != Kind::map) throw BadInput("expected a map");
  const EdnValue* process = form_.find("process");
  if (!process) throw BadInput("process: is missing");
  if (process->kind != Kind::integer) return false;
  line_.process = name_of(*process, "process");
  const std::string type = word(form_, "type");
  if (!from_text(type, event.type)) {
    throw BadInput("unknown type '" + type.substr(0, 64) + "'; known: invoke, ok, fail, info");
  }
  const std::string function = word(form_, "f");
  if (!op_of_function(function, event.op)) {
    pass_over(function);
    return false;
  }
  of_a_lock_ = of_a_lock_ || event.op == Op::acquire || event.op == Op::release;
  if (const EdnValue* index = form_.find("index")) {
    event.index = static_cast<std::uint64_t>(number(*index, "index", kMaxInteger));
    line_.has_index = true;
  }
  const EdnValue* value = form_.find("value");
  const EdnValue* key = form_.find("key");
  if (!key && keyed(value)) key = &value->items.front();
  if (key) line_.key = name_of(*key, "key");
  line_.has_key = key != nullptr;
  if (const EdnValue* lease = form_.find("lease-ms")) {
    event.lease_ns = number(*lease, "lease-ms", kMaxLeaseMs) * 1'000'000;
  }
  read_time(event);
  read_mode(form_, event);
  read_edn_token(form_, event);
  if (event.type == EventType::fail || event.type == EventType::info) read_reason(form_, event);
  name_owner(event);
  return true;
}

// A time that goes back is replaced by the previous one; the end of a lease counted from it stays.
void JepsenHistory::read_time(Event& event) {
  const EdnValue* time = form_.find("time");
  if (!time) return;
  event.time_ns = number(*time, "time", kMaxTimeNs);
  line_.has_time = true;
  const std::string process(line_.process.text());
  const std::int64_t back_ns = last_time_ns_ - event.time_ns;
  if (back_ns > 0 && back_ns <= kMostBack_ns) {
    if (times_back_++ == 0) first_back_ = position();
    most_back_ns_ = std::max(most_back_ns_, back_ns);
    event.time_ns = last_time_ns_;
  }
  last_time_ns_ = event.time_ns;
  if (event.type == EventType::invoke) {
    back_ns > 0 ? void(called_late_ns_[process] = back_ns) : void(called_late_ns_.erase(process));
  }
  const auto late = called_late_ns_.find(process);
  if (late != called_late_ns_.end() && event.lease_ns.value_or(0) > 0) {
    event.lease_ns = std::max<std::int64_t>(1, *event.lease_ns - late->second);
  }
}

void JepsenHistory::name_owner(Event& event) {
  owners_by_token_ = owners_by_token_ || event.token.has_value();
  if (!owners_by_token_) return;
  const std::string process(line_.process.text());
  std::string owner = process;
  const bool gives = event.op == Op::release || event.op == Op::renew;
  if (event.type != EventType::invoke) {
    owner = owners_.answered(process);
    if (event.type == EventType::ok && event.op == Op::acquire && event.token) owners_.granted(owner, *event.token);
    if (event.type == EventType::ok && event.op == Op::release) owners_.given_back(owner);
    owners_.over(process);
  } else {
    if (event.op == Op::acquire) owner = owners_.asks(process);
    if (gives && event.token) owner = owners_.gives(process, *event.token);
    owners_.called(process, owner);
  }
  line_.process = owner;
}

void JepsenHistory::note_not_held(Event& event) {
  if (event.process >= granted_.size()) granted_.resize(event.process + 1);
  if (event.type == EventType::ok && event.op == Op::acquire) granted_[event.process] = true;
  if (event.type == EventType::ok && event.op == Op::release) granted_[event.process] = false;
  if (event.reason != Reason::not_held || event.op == Op::acquire) return;
  if (granted_[event.process] && not_held_though_granted_++ == 0) first_not_held_ = position();
  // The client gives up by itself, without an answer from the lock.
  if (not_held_ == NotHeld::said_by_client) event.reason = Reason::deadline;
}

std::vector<std::string> JepsenHistory::warnings(bool /*whole*/) const {
  std::vector<std::string> out;
  if (passed_over_ > 0) {
    std::string names;
    for (const std::string& name : functions_) names += (names.empty() ? "" : ", ") + name;
    out.push_back("operations that do not belong to a lock are skipped (" + names + "; lines: " +
                  std::to_string(passed_over_) + ", first in line " + std::to_string(first_passed_over_) + ")");
  }
  if (times_back_ > 0) {
    out.push_back("times go backwards (lines: " + std::to_string(times_back_) + ", by up to " +
                  std::to_string(most_back_ns_) + " ns, first in line " + std::to_string(first_back_) +
                  "): the order of the lines is used");
  }
  if (not_held_though_granted_ > 0) {
    const bool lock = not_held_ == NotHeld::said_by_lock;
    out.push_back(":not-held occurs for processes that had been granted the lock (lines: " +
                  std::to_string(not_held_though_granted_) + ", first in line " + std::to_string(first_not_held_) +
                  "): it is read as " +
                  (lock ? "the lock's answer; if the clients decide this without asking the lock, add --not-held client"
                        : "the client's own decision; if it is the lock's answer, add --not-held lock"));
  }
  return out;
}

}  // namespace holdfast
