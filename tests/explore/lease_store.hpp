// One key with an owner and an end, in memory: a store on which locks of the tests are explored in milliseconds.
//
//   acquire KEY OWNER TTL_US [WAIT_US]   1, or 0 while another's lease lasts; with a wait, it waits for so long before
//   force KEY OWNER TTL_US               1, whoever has it
//   renew KEY OWNER TTL_US, release KEY OWNER, look KEY OWNER     1 if it is the owner's
//
// `guard_us`: a key that is over or freed stays refused for so long.
#pragma once

#include <map>
#include <sstream>
#include <utility>

#include "servers/stepped_store.hpp"

namespace holdfast {

class LeaseStore : public SteppedStore {
 public:
  explicit LeaseStore(std::int64_t guard = 0) : guard_us(guard) {}
  void begin(std::int64_t, Beginning) override { keys.clear(); }
  Command bind(std::size_t, std::string_view statement, Params params) override {
    Command out{std::string(statement), std::string(statement), {}};
    for (const auto& param : params) {
      const auto* number = std::get_if<std::int64_t>(&param.value);
      out.text += " " + (number != nullptr ? std::to_string(*number) : std::get<std::string>(param.value));
    }
    return out;
  }
  Executed run(std::size_t, const Command& command, std::int64_t now_us) override {
    std::istringstream in(command.text);
    std::string verb, key, owner;
    std::int64_t ttl_us = 0;
    std::int64_t wait_us = 0;
    in >> verb >> key >> owner >> ttl_us >> wait_us;
    Key& row = keys[key];
    const bool mine = row.owner == owner && now_us < row.end_us;
    bool done = mine;
    if (verb == "acquire") done = mine || now_us >= row.end_us + guard_us;
    if (verb == "force") done = true;
    if (done && verb == "release") {
      row = {"", now_us};
    } else if (done && verb != "look") {
      row = {owner, now_us + ttl_us};
    }
    Executed out;
    out.read = verb == "look";
    out.changed = done && !out.read;
    out.reply.affected = out.changed ? 1 : 0;
    out.reply.rows = {{done ? "1" : "0"}};
    out.would_wait = !done && wait_us > 0;
    out.wait_us = wait_us;
    return out;
  }
  void end_session(std::size_t) override {}
  bool holds_session(std::size_t) const override { return false; }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override {
    std::vector<StoredRow> out;
    for (const auto& [name, row] : keys) {
      if (name.rfind(prefix, 0) == 0) out.push_back({{name, row.owner, std::to_string(row.end_us)}});
    }
    return out;
  }
  bool empties() const override { return true; }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return false; }

  struct Key {
    std::string owner;
    std::int64_t end_us = 0;
  };
  std::map<std::string, Key> keys;
  std::int64_t guard_us = 0;
};

}  // namespace holdfast
