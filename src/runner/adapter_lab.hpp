// `holdfast adapter check`: a lab with one lock server and two nodes, in which the adapter is checked
// (adapter/adapter_check.hpp).
//
//   const AdapterLabEnd end = check_adapter_in_lab(folder, "my_lock", interrupted, {print_rule, show_progress});
//
// Three processes: this one, which launches the lab; the lab's own (`holdfast adapter-lab`), which starts the server;
// and one on a client's node (`holdfast adapter-talk`), which starts the adapters and talks to them. The last writes
// each rule's result to a file in the folder.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "adapter/adapter_talk.hpp"
#include "artifact/json_fields.hpp"

namespace holdfast {

const char* to_text(Found);
bool from_text(const std::string& word, Found& out);

// The result of a rule, as in `adapter check --json`.
struct TriedRule {
  std::string rule;
  Found found = Found::ok;
  std::string text;  // one line; several for a result that is wrong or undecided
  std::string why;   // only if skipped or undecided

  bool operator==(const TriedRule&) const = default;
  static const JsonForm<TriedRule>& form();
};

struct AdapterLabEnd {
  int exit_code = 0;  // of the lab
  std::string error;  // reason for the failure
  int rules = 0;
  int wrong = 0;
  int undecided = 0;
};

struct AdapterLabWatch {
  std::function<void(const TriedRule& rule)> told;  // called after each rule
  // Called many times a second with the current rule; empty while the server starts.
  std::function<void(const std::string& rule)> tries{};
  std::string try_command = "holdfast try";  // for remedies: the command that tries the lock
};

AdapterLabEnd check_adapter_in_lab(const std::string& folder, const std::string& lock,
                                   const std::atomic<bool>& interrupted, const AdapterLabWatch& watched);

// Runs inside the lab. Throws HarnessError, Unavailable.
void run_adapter_lab(const std::string& folder, const std::string& lock);

// Runs on a client's node.
struct AdapterTalkOrder {
  std::string folder;
  std::string lock;
  std::string lock_host;
  std::vector<int> server_pids{};  // processes whose waits for a processor count
};
void run_adapter_talk(const AdapterTalkOrder& order);

}  // namespace holdfast
