// Finds clients of a foreign history that held a lock and then had no more lines, long before the history ends. Such a
// process was killed, or its log was cut off; the checker takes it for a holder to the end, and so may report an
// overlap.
//
//   Silences silences(context);
//   silences.begin(event.time_ns);                          // of the first event
//   silences.heard(event);                                  // every event of a client
//   for (const std::string& warning : silences.told()) ...  // at the end, while beliefs are still open
//
// Long is more than a second, and more than a tenth of the history. Memory: one time a process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/by_id.hpp"
#include "checker/property.hpp"

namespace holdfast {

class Silences {
 public:
  explicit Silences(const PropertyContext& context) : context_(context) {}

  void begin(std::int64_t first_ns) { first_ns_ = first_ns; }
  void heard(const Event& event) { last_ns_[event.process] = event.time_ns; }
  std::vector<std::string> told() const;

 private:
  PropertyContext context_;
  ById<std::int64_t> last_ns_;  // by process: its last event
  std::int64_t first_ns_ = 0;   // the first event
};

}  // namespace holdfast
