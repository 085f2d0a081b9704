#include "driver/job_offers.hpp"

#include <chrono>

#include "adapter/adapter_message.hpp"
#include "driver/loss_reports.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostWaiting = 1'000;  // each occupies a waiting thread of the library

}  // namespace

void JobOffers::hear(const AdapterSaid& said) {
  const AdapterMessage& message = said.message;
  if (!message.lock) return;
  const std::lock_guard guard(mutex_);
  auto& waiting = offers_[*message.lock];
  if (message.name == MessageName::lost) {
    std::erase_if(waiting, [&](const JobOffer& one) { return is_for(message.thread, one.thread); });
  }
  if (message.name != MessageName::granted) return;
  if (waiting.size() >= kMostWaiting) {
    throw BadMessage("more than " + std::to_string(kMostWaiting) + " jobs of " + shown_line(*message.lock) +
                     " wait for a release; remedy: send granted once for each job that began");
  }
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
