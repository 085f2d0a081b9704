#include "request_explore/heard_requests.hpp"

namespace holdfast {

void HeardRequests::hear(const HeardBytes& heard) {
  const std::lock_guard guard(mutex_);
  HeardRequest& one = all_[heard.serial];
  (heard.reply ? one.reply : one.request) = heard.bytes;
  if (!heard.reply) one.prepared = heard.prepared;
}

HeardRequest HeardRequests::of(std::uint64_t serial) const {
  const std::lock_guard guard(mutex_);
  const auto found = all_.find(serial);
  return found == all_.end() ? HeardRequest{} : found->second;
}

void HeardRequests::clear() {
  const std::lock_guard guard(mutex_);
  all_.clear();
}

}  // namespace holdfast
