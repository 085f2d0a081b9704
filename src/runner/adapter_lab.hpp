// `holdfast adapter check`: a lab with one lock server and two nodes, on which the adapter that is to be checked speaks
// (adapter/adapter_check.hpp).
//
//   const AdapterLabEnd end = check_adapter_in_lab(folder, "my_lock", interrupted, [](const nlohmann::json& rule) {});
//
// Three processes: this one, which launches the lab; the lab's own (`holdfast adapter-lab`), which starts the server;
// and one on a client's node (`holdfast adapter-talk`), which starts the adapters and talks to them. The last writes
// what it finds to a file of the folder, rule by rule.
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holdfast {

struct AdapterLabEnd {
  int exit_code = 0;  // of the lab
  std::string error;  // why it did not end well
  int rules = 0;
  int wrong = 0;
};

// `rule`: {"rule", "found": ok|wrong|skipped, "text"}, each once it was tried.
AdapterLabEnd check_adapter_in_lab(const std::string& folder, const std::string& lock,
                                   const std::atomic<bool>& interrupted,
                                   const std::function<void(const nlohmann::json& rule)>& told);

// Inside the lab. Errors: HarnessError, Unavailable.
void run_adapter_lab(const std::string& folder, const std::string& lock);

// On a client's node.
void run_adapter_talk(const std::string& folder, const std::string& lock, const std::string& lock_host);

}  // namespace holdfast
