// A small store in memory, for tests of what is remembered of one.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "servers/stepped_store.hpp"

namespace holdfast {

// "set NAME VALUE", "get NAME", "hold", "drop NAME": rows that end 10 us after they were set; `hold` is the session's.
class ShelfStore : public SteppedStore {
 public:
  void begin(std::int64_t, Beginning beginning) override {
    rows_by_name.clear(), held.assign(4, false);
    new_tables += beginning == Beginning::new_names ? 0 : 1;
  }
  Command bind(std::size_t, std::string_view statement, Params) override { return {"", std::string(statement), {}}; }
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override {
    ++asked;
    std::istringstream in(command.text);
    std::string verb, name, value;
    in >> verb >> name >> value;
    names_seen.insert(name);
    auto& row = rows_by_name[name];
    if (row.second < now_us) row = {};
    Executed out;
    out.reply.rows = {{row.first + (lies ? "!" : "")}};
    out.changed = verb == "set" || verb == "drop" || verb == "hold";
    if (verb == "set") row = {value, now_us + 10};
    if (verb == "drop") row = {};
    if (verb == "hold") held.at(session) = true;
    return out;
  }
  void end_session(std::size_t session) override { held.at(session) = false; }
  bool holds_session(std::size_t session) const override { return held.at(session); }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override {
    if (std::find(held.begin(), held.end(), true) != held.end()) return std::nullopt;  // held state is hidden
    std::vector<StoredRow> out;
    for (const auto& [name, row] : rows_by_name) {
      if (name.rfind(prefix, 0) == 0 && !row.first.empty()) out.push_back({{name, row.first}, row.second});
    }
    return out;
  }
  bool put(const std::vector<StoredRow>& rows) override {
    if (!puts) return false;
    for (const auto& row : rows) rows_by_name[row.fields.at(0)] = {row.fields.at(1), row.gone_after_us};
    return true;
  }
  bool empties() const override { return false; }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return false; }

  std::map<std::string, std::pair<std::string, std::int64_t>> rows_by_name;
  std::vector<bool> held = std::vector<bool>(4);
  std::set<std::string> names_seen;
  int asked = 0;
  int new_tables = 0;
  bool lies = false;
  bool puts = false;
};

}  // namespace holdfast
