// Results of the doctor: one examination for each thing holdfast needs from a machine, each actually tried.
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
  unavailable,  // missing on this machine, and not needed for this run
  failed,       // needed and missing, or present but not working
  not_tried,    // because something before it failed
};
const char* to_text(Health);

struct Examination {
  std::string part;  // machine | server | fault
  std::string name;
  Health health = Health::not_tried;
  std::string says;    // ok: the measurement; else the reason. One line.
  std::string remedy;  // one line; empty if none is known or needed
  bool needed = false;
  double seconds = 0;
};

struct Diagnosis {
  std::string suite;  // name of the suite to run, as given by the user
  std::vector<Examination> all;

  bool can_run() const;                      // true if everything needed is ok
  std::vector<std::string> faults() const;   // available here
  std::vector<std::string> missing() const;  // faults that are not ok
};

// Splits an error of the form "unshare: ...; remedy: sysctl ..." into reason and remedy.
void explain(Examination& of, const std::string& error);

std::string diagnosis_text(const Diagnosis& found);
nlohmann::ordered_json diagnosis_json(const Diagnosis& found);

}  // namespace holdfast
