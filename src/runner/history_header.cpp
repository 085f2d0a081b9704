#include "runner/history_header.hpp"

#include "runner/scheduler_wait.hpp"

namespace holdfast {

HistoryHeader history_header(const Plan& plan, const LockType& type, std::uint32_t clients) {
  HistoryHeader header;
  header.foreign = false;
  header.model = type.fenced ? "fenced" : plan.load.reenter ? "reentrant" : "owner";
  header.lock = plan.lock;
  header.scenario = plan.scenario;
  header.seed = plan.seed;
  header.clients = clients;
  header.lease_ns = type.lease ? plan.load.lease_ms * 1'000'000 : 0;
  header.progress_bound_ns = plan.load.progress_bound_ms * 1'000'000;
  header.faults_planned = !plan.faults.empty();
  header.fenced_resource = type.fenced;
  header.stall_bound_ns = not_counted().empty() ? WaitAccount::kBound_ns : 0;
  header.waits = type.waits;
  header.guard_ns = type.guard_ms * 1'000'000;
  header.promises = type.promises();
  header.minima = plan.minima;
  return header;
}

}  // namespace holdfast
