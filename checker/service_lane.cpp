#include "checker/service_lane.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kMostOpen = 256;  // holds that wait for one answer
constexpr std::uint64_t kNobodys = ~std::uint64_t{0};
constexpr std::size_t kPast = 1000;  // links of a witness; a quarter more is kept, so that few are moved

}  // namespace

std::int64_t ServedLease::end_ns() const {
  if (released_ok) return ended_ns;
  return std::min({ended_ns, cut_to_ns, std::max(later_by(x_ns, lease_ns), renewed_to_ns)});
}

// The last one: a process may be granted the lock again without having given up its belief.
std::size_t ServiceLane::index_of(std::uint64_t hold) const {
  std::size_t i = chain_.size();
  while (i > 0 && chain_[i - 1].hold != hold) --i;
  return i == 0 ? chain_.size() : i - 1;
}

ServedLease ServiceLane::lease_of(const Hold& hold) {
  ServedLease lease;
  lease.process = hold.process;
  lease.client = hold.client;
  lease.hold = lease.grant_index = lease.end_index = hold.grant_index;
  lease.invoke_index = hold.invoke_index;
  lease.sent_ns = hold.sent_ns;
  lease.granted_ns = hold.granted_ns;
  lease.promised_ns = hold.lease_ns;
  lease.stray_ns = hold.stray_ns;
  lease.lease_ns = at_least(hold.lease_ns, hold.stray_ns);
  return lease;
}

void ServiceLane::granted(ServedLease lease, const Report& report) {
  settle(lease.granted_ns);
  // A process that is granted a new lease has finished with its old ones.
  std::erase_if(replaced_, [&](const Replaced& r) { return r.lease.process == lease.process; });
  chain_.push_back(lease);
  serve_from(chain_.size() - 1, report);
}

// Gives every lease from `first` on its earliest moment.
void ServiceLane::serve_from(std::size_t first, const Report& report) {
  for (std::size_t i = first; i < chain_.size(); ++i) {
    ServedLease& lease = chain_[i];
    const std::int64_t before_ns = i == 0 ? settled_end_ns_ : chain_[i - 1].end_ns();
    lease.x_ns = lease.impossible ? lease.sent_ns : std::max(lease.sent_ns, before_ns);
    if (lease.x_ns <= lease.granted_ns) continue;
    ServiceFault fault{pushed_up_to(i)};
    fault.doubtful =
        std::any_of(fault.leases.begin(), fault.leases.end() - 1, [](const auto& l) { return l.may_be_less; });
    report(fault);
    lease.impossible = !fault.doubtful;  // once the renewal is answered it is looked at again
    lease.x_ns = lease.sent_ns;
  }
}

// Gives each of the row its earliest moment. True if the last one has none.
bool ServiceLane::impossible(std::vector<ServedLease>& row) {
  std::int64_t before_ns = 0;
  for (ServedLease& lease : row) {
    lease.x_ns = lease.impossible ? lease.sent_ns : std::max(lease.sent_ns, before_ns);
    before_ns = lease.end_ns();
  }
  return row.back().x_ns > row.back().granted_ns;
}

// The shortest row of leases, each pushing the next, that leaves the last one no moment. The later it begins, the less
// it pushes.
std::vector<ServedLease> ServiceLane::pushed_up_to(std::size_t last) const {
  const auto past = static_cast<std::ptrdiff_t>(std::min(past_.size(), kPast));
  std::vector<ServedLease> all(past_.end() - past, past_.end());
  all.insert(all.end(), chain_.begin(), chain_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  std::vector<ServedLease> shortest = all;
  for (std::size_t possible = all.size() - 1, from = 0; from < possible;) {
    const std::size_t middle = from + (possible - from) / 2;
    std::vector<ServedLease> row(all.begin() + static_cast<std::ptrdiff_t>(middle), all.end());
    if (impossible(row)) {
      from = middle + 1;
      shortest = std::move(row);
    } else {
      possible = middle;
    }
  }
  return shortest;
}

// Settles entries that no answer can change any more. Equal times are concurrent, so the next grant must be in the
// past.
void ServiceLane::settle(std::int64_t now_ns) {
  std::size_t done = 0;
  for (; chain_.size() - done > 1 && chain_[done + 1].granted_ns < now_ns; ++done) {
    const ServedLease& front = chain_[done];
    if (front.open && chain_.size() - done < kMostOpen) break;
    settled_end_ns_ = front.end_ns();
    if (!front.released_ok) replaced_.push_back({front, chain_[done + 1]});
    keep(front);
  }
  if (done > 0) chain_.erase(chain_.begin(), chain_.begin() + static_cast<std::ptrdiff_t>(done));
}

void ServiceLane::keep(const ServedLease& settled) {
  if (settled.x_ns == settled.sent_ns) past_.clear();  // no entry pushed it
  if (past_.size() == kPast + kPast / 4) past_.erase(past_.begin(), past_.begin() + kPast / 4 + 1);
  past_.push_back(settled);
}

void ServiceLane::asked(std::uint64_t hold, const Event& event) {
  const std::size_t at = index_of(hold);
  if (at == chain_.size()) return;
  ServedLease& lease = chain_[at];
  lease.open = true;
  lease.may_be_less = event.op == Op::renew && !event.lease_ns;
  const std::int64_t asked_ns = event.op == Op::renew ? event.lease_ns.value_or(0) : 0;
  if (asked_ns > 0 && (lease.promised_ns == 0 || asked_ns < lease.promised_ns)) {  // the rest may be taken back
    lease.cut_to_ns = std::min(lease.cut_to_ns, later_by(event.time_ns, asked_ns));
  }
  if (event.op != Op::release) return;
  lease.ended_ns = event.time_ns;
  lease.end_index = event.index;
}

void ServiceLane::forget(std::uint64_t hold) {
  const std::size_t at = index_of(hold);
  if (at != chain_.size()) {
    chain_[at].hold = kNobodys;
    chain_[at].open = false;
  }
  replaced_.erase(
      std::remove_if(replaced_.begin(), replaced_.end(), [&](const Replaced& r) { return r.lease.hold == hold; }),
      replaced_.end());
}

void ServiceLane::note(ServedLease& lease, const Event& event, const Operation& operation, bool effective) {
  lease.open = lease.may_be_less = false;
  const bool not_held = event.type == EventType::fail && event.reason == Reason::not_held;
  if (event.op == Op::release) {
    lease.released_ok = effective;
    // A release that surely had no effect does not count; one that found nothing to release proves that it was over by
    // then.
    if (event.type != EventType::fail) return;
    lease.ended_ns = not_held ? event.time_ns : kNever;
    lease.end_index = not_held ? event.index : lease.grant_index;
  } else if (effective) {
    const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(lease.promised_ns));
    const std::int64_t to_ns = promised_to(operation.invoked_ns, at_least(lease_ns, lease.stray_ns));
    const bool less = lease_ns != 0 && (lease.promised_ns == 0 || lease_ns < lease.promised_ns);
    if (less) {  // the rest is taken back
      lease.lease_ns = 0;
      lease.renewed_to_ns = 0;
    }
    lease.promised_ns = lease_ns;
    lease.cut_to_ns = kNever;
    if (to_ns <= lease.renewed_to_ns) return;
    lease.renewed_to_ns = to_ns;
    lease.renew_invoke_index = operation.index;
    lease.renew_index = event.index;
  } else if (event.type == EventType::info) {
    if (operation.lease_ns.value_or(0) > 0) lease.stray_ns = std::min(lease.stray_ns, *operation.lease_ns);
  } else if (not_held && !event.background) {
    lease.ended_ns = std::min(lease.ended_ns, event.time_ns);
    lease.end_index = event.index;
  }
}

bool ServiceLane::answered(std::uint64_t hold, const Event& event, const Operation& operation, bool effective,
                           const Report& report) {
  const std::size_t at = index_of(hold);
  if (at != chain_.size()) {
    note(chain_[at], event, operation, effective);
    serve_from(at + 1, report);
    return true;
  }
  const auto gone =
      std::find_if(replaced_.begin(), replaced_.end(), [&](const Replaced& r) { return r.lease.hold == hold; });
  if (gone == replaced_.end() || !effective) return true;
  if (operation.invoked_ns <= gone->by.granted_ns) return false;
  ServedLease late = gone->lease;
  note(late, event, operation, effective);
  late.end_index = event.index;
  if (event.op == Op::release) late.ended_ns = operation.invoked_ns;
  report({{late, gone->by}, true, false});
  return true;
}

}  // namespace holdfast
