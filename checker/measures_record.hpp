// Counts what is measured and never judged: operations, grants, refusals, waiting times.
//
// A wait lasts from the first attempt of a client on a key to its grant. Waits are counted in buckets that are 1/64
// wide, so the percentiles are exact to 1.6 % in a fixed few kilobytes.
#pragma once

#include <array>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/busy_rule.hpp"
#include "checker/free_rule.hpp"
#include "checker/property.hpp"

namespace holdfast {

class WaitHistogram {
 public:
  void add(std::int64_t ns);
  std::int64_t percentile(double share) const;  // 0 when there are none

 private:
  std::array<std::int64_t, std::size_t{64} * 64> counts_{};
  std::int64_t total_ = 0;
};

class MeasuresRecord {
 public:
  explicit MeasuresRecord(const PropertyContext& context);
  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);
  Measures finish();

 private:
  void invoked(const Event& event);
  void completed(const Event& event);

  struct Wait {
    bool waiting = false;
    std::uint32_t key = 0;
    std::int64_t since_ns = 0;
  };
  PropertyContext context_;
  Measures measures_;
  WaitHistogram waits_;
  std::vector<Wait> wait_;  // by client
  BusyRule busy_;
  std::int64_t refused_free_ = 0;
  FreeRule free_;  // what is judged is counted, too
};

}  // namespace holdfast
