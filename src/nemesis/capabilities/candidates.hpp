// Whom there is to strike. Every fault has it unasked.
#pragma once

#include <cstdint>
#include <vector>

namespace holdfast {

using Victims = std::vector<std::uint32_t>;  // clients, or servers, as the fault's needs say

class Candidates {
 public:
  virtual ~Candidates() = default;
  virtual std::uint32_t clients() const = 0;
  virtual std::uint32_t servers() const = 0;  // of the lock service, from 0. That of the resource is none of them.
  virtual bool gone(std::uint32_t client) const = 0;  // its process is
  virtual Victims holders() const = 0;                // who holds a key just now
  virtual Victims waiters() const = 0;                // ... or waits for one
};

}  // namespace holdfast
