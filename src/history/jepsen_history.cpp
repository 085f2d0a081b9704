#include "history/jepsen_history.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "history/history_fields.hpp"

namespace holdfast {
namespace {

using Kind = EdnValue::Kind;

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

Op op_of_function(const std::string& f) {
  if (f == "lock") return Op::acquire;
  if (f == "unlock") return Op::release;
  Op op{};
  if (!from_text(f, op)) {
    throw BadInput("unknown f '" + f.substr(0, 64) + "'; known: acquire, lock, renew, release, unlock, leave, write");
  }
  return op;
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
  for (const EdnValue* in : {&form, value}) {
    for (const char* name : {"token", "fence"}) {
      const EdnValue* token = in ? in->find(name) : nullptr;
      if (token) event.token = static_cast<std::uint64_t>(number(*token, name, kMaxInteger));
    }
  }
}

}  // namespace

bool JepsenHistory::next(Event& event) {
  while (forms_.next(form_)) {
    try {
      if (!read(event)) continue;
      rules_.admit(event, line_);
    } catch (const BadInput& e) {
      throw BadInput(place() + ": " + e.what());
    }
    return true;
  }
  if (rules_.events() == 0) throw BadInput(path() + ": is empty: a history has at least one operation");
  return false;
}

// False for what is not a client's.
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
  event.op = op_of_function(word(form_, "f"));
  if (const EdnValue* time = form_.find("time")) {
    event.time_ns = number(*time, "time", kMaxTimeNs);
    line_.has_time = true;
  }
  if (const EdnValue* index = form_.find("index")) {
    event.index = static_cast<std::uint64_t>(number(*index, "index", kMaxInteger));
    line_.has_index = true;
  }
  const EdnValue* value = form_.find("value");
  const EdnValue* key = form_.find("key");
  if (!key && value && value->kind == Kind::list && value->items.size() == 2) key = &value->items.front();
  if (key) line_.key = name_of(*key, "key");
  line_.has_key = key != nullptr;
  if (const EdnValue* lease = form_.find("lease-ms")) {
    event.lease_ns = number(*lease, "lease-ms", kMaxLeaseMs) * 1'000'000;
  }
  read_mode(form_, event);
  read_edn_token(form_, event);
  if (event.type == EventType::fail || event.type == EventType::info) read_reason(form_, event);
  return true;
}

}  // namespace holdfast
