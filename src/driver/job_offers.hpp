// The jobs that a scheduler has begun by itself, under its lock, until somebody of the client takes them.
//
//   JobOffers offers;
//   offers.hear(said);                                             // by the adapter's reader: `granted`, `lost`
//   if (const auto job = offers.take("k0", 50)) ...                // waits 50 ms at most
//
// One job is taken by one thread. Who is busy takes the next one later, and believes from then on only: a belief lies
// inside the true hold. A job that is lost before anybody took it is nobody's any more.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "adapter/adapter_program.hpp"

namespace holdfast {

struct JobOffer {
  std::optional<std::uint64_t> token;
  std::optional<std::int64_t> thread;  // of the program, which the release has to name again
  std::int64_t read_ns = 0;
};

class JobOffers {
 public:
  void hear(const AdapterSaid& said);  // throws BadMessage: far more jobs wait than a library begins
  std::optional<JobOffer> take(const std::string& lock, std::int64_t wait_ms);

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  std::map<std::string, std::deque<JobOffer>> offers_;  // by lock
};

}  // namespace holdfast
