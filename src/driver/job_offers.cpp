#include "driver/job_offers.hpp"

#include <chrono>

#include "driver/said_lost.hpp"

namespace holdfast {

void JobOffers::hear(const AdapterSaid& said) {
  const AdapterMessage& message = said.message;
  if (!message.lock) return;
  const std::lock_guard guard(mutex_);
  auto& waiting = offers_[*message.lock];
  if (message.name == MessageName::lost) {
    std::erase_if(waiting, [&](const JobOffer& one) { return is_for(message.thread, one.thread); });
  }
  if (message.name != MessageName::granted) return;
  waiting.push_back({message.token, message.thread, said.read_ns});
  heard_.notify_all();
}

std::optional<JobOffer> JobOffers::take(const std::string& lock, std::int64_t wait_ms) {
  std::unique_lock guard(mutex_);
  auto& waiting = offers_[lock];
  if (!heard_.wait_for(guard, std::chrono::milliseconds(wait_ms), [&] { return !waiting.empty(); })) return {};
  const JobOffer first = waiting.front();
  waiting.pop_front();
  return first;
}

}  // namespace holdfast
