#include "runner/cluster_watch.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {

ClusterWatch::ClusterWatch(const std::vector<FaultSpec>& faults, LockServer& server) : cluster_(server.cluster()) {
  const auto parts = [](const FaultSpec& spec) { return fault_type(spec).uses(Capability::cluster_links); };
  if (std::any_of(faults.begin(), faults.end(), parts)) cluster_ = nullptr;
  if (cluster_ != nullptr) before_ = changes();
}

std::uint64_t ClusterWatch::changes() {
  const auto view = cluster_->view_of(0);
  if (!view) throw HarnessError("the first server of the cluster does not say who belongs to it");
  return view->changes;
}

std::optional<std::string> ClusterWatch::fell_apart() {
  if (cluster_ == nullptr) return std::nullopt;
  const std::uint64_t times = changes() - before_;
  if (times == 0) return std::nullopt;
  return "who belongs to the cluster changed " + std::to_string(times) +
         " times, though no fault of the plan parts it: a machine too busy for a cluster? fewer --jobs help";
}

}  // namespace holdfast
