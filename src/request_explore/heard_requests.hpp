// The requests of a schedule seen by the relay, with their replies, by the relay's numbers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "relay/request_point.hpp"
#include "relay/wire.hpp"

namespace holdfast {

struct HeardRequest {
  std::string request;
  std::string reply;     // empty: none yet
  std::string prepared;  // prepared statement that the request executes, if known

  RelayedRequest relayed() const { return {request, prepared}; }
};

// The relay's thread writes, the explorer's reads.
class HeardRequests {
 public:
  void hear(const HeardBytes& heard);
  HeardRequest of(std::uint64_t serial) const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, HeardRequest> all_;
};

}  // namespace holdfast
