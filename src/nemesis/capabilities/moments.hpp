// Points in the clients' work at which a fault begins or ends. The nemesis alone has it, since a client that stops at a
// point must be let go on whatever becomes of the fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "artifact/capacity.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// What a client that is stopped at a point is told when it may go on.
enum class Release : std::uint8_t { go_on, lose_reply };

// Where a client stands when it has come to the point that ends a fault.
constexpr std::size_t end_trigger(std::size_t fault_number) {
  return static_cast<std::size_t>(kMostFaults) + fault_number;
}

class Moments {
 public:
  virtual ~Moments() = default;
  // From `arm` on, a client stops at the n-th passing of a point until it is released. `whom`: "holder" or "waiter", if
  // only the passings of those who are that at the instant count; else empty. `wait_arrival` blocks until one does;
  // nothing when the trial closes first. `trigger`: the fault's number, or end_trigger of it.
  virtual void arm(const Moment& at, const std::string& whom, std::size_t trigger) = 0;
  virtual std::optional<std::uint32_t> wait_arrival(std::size_t trigger) = 0;
  virtual bool arrived(std::size_t trigger, std::int64_t within_ms) = 0;  // whether one stands there, or comes in time
  virtual void release(std::size_t trigger, Release how) = 0;
};

}  // namespace holdfast
