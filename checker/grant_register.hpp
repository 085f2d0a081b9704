// The grants of a history by client and number, and which of them overlapped: what is needed to judge writes that are
// only known at the end.
//
// Memory: 32 bytes a grant, so it does grow with the history; kept only where a resource is judged, which is in runs of
// our own, not in large foreign histories. Overlaps are kept up to a bound.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/overlap.hpp"

namespace holdfast {

class GrantRegister {
 public:
  struct Grant {
    std::uint32_t number = 0;
    std::uint32_t index = 0;
    std::int64_t sent_ns = 0;
    std::int64_t granted_ns = 0;
    std::int64_t ended_ns = kNever;
  };
  void add(const Hold& hold);
  void end(const Hold& hold);  // the belief in it
  void add(const Overlap& overlap, OverlapKind kind);

  const Grant* find(std::uint32_t client, std::uint64_t number) const;
  // What made two grants overlap; null when they did not.
  const OverlapKind* overlap(std::uint32_t client_a, std::uint64_t number_a, std::uint32_t client_b,
                             std::uint64_t number_b) const;

 private:
  using Id = std::pair<std::uint32_t, std::uint64_t>;
  std::vector<std::vector<Grant>> grants_;  // by client, numbers ascending
  std::map<std::pair<Id, Id>, OverlapKind> overlaps_;
};

}  // namespace holdfast
