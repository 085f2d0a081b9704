// The requests of a schedule that the relay has heard, and the replies to them, by the relay's numbers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "relay/stops.hpp"
#include "relay/wire.hpp"

namespace holdfast {

struct HeardRequest {
  std::string request;
  std::string reply;     // empty: none has come
  std::string prepared;  // the statement that the request executes, if that was prepared before

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
