// What the doctor found: one examination a thing that holdfast needs from a machine, each really tried.
//
//   {"fault", "partition", Health::ok, "cut (both, 100 % of the packets) for 0.300 s; 14 packets dropped", "", true}
//   {"machine", "namespaces", Health::failed, "unshare: No space left on device", "sysctl -w ...", true}
//
// An examination that did not take place is `not_tried`, never `ok`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace holdfast {

enum class Health : std::uint8_t {
  ok,
  unavailable,  // this machine has it not, and what is to be run does not need it
  failed,       // needed and not there, or there and it does not work
  not_tried,    // because something before it failed
};
const char* to_text(Health);

struct Examination {
  std::string part;  // machine | server | fault
  std::string name;
  Health health = Health::not_tried;
  std::string says;    // ok: what was measured; else the reason. One line.
  std::string remedy;  // one line; empty where nobody knows one, or all is well
  bool needed = false;
  double seconds = 0;
};

struct Diagnosis {
  std::string suite;  // what is to be run, as the user named it
  std::vector<Examination> all;

  bool can_run() const;                      // all that is needed is ok
  std::vector<std::string> faults() const;   // available here
  std::vector<std::string> missing() const;  // faults that are not
};

// "unshare: ...; remedy: sysctl ..." is a reason and a remedy in one line, as errors of this program have them.
void explain(Examination& of, const std::string& error);

std::string diagnosis_text(const Diagnosis& found);
nlohmann::ordered_json diagnosis_json(const Diagnosis& found);

}  // namespace holdfast
