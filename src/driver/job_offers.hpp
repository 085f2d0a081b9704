// Queue of jobs that a scheduler began by itself under its lock, until a thread of the client takes them.
//
//   JobOffers offers;
//   offers.hear(said);                                             // called by the adapter's reader: `granted`, `lost`
//   if (const auto job = offers.take("k0", 50)) ...                // waits at most 50 ms
//
// Each job goes to one thread. A busy thread takes its next job later and believes only from then on, so the belief
// lies inside the true hold. A job that is lost before it was taken is dropped.
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
  std::optional<std::int64_t> thread;  // of the program; the release names it again
  std::int64_t read_ns = 0;
};

class JobOffers {
 public:
  void hear(const AdapterSaid& said);  // throws BadMessage if far more jobs wait than a library begins
  std::optional<JobOffer> take(const std::string& lock, std::int64_t wait_ms);

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  std::map<std::string, std::deque<JobOffer>> offers_;  // by lock name
};

}  // namespace holdfast
