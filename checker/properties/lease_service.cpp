// lease_service: the service can have given out every lease one after the other, whatever its clients believed.
//
// Rule, in foreign histories under model lease, per key: each lease is held from a moment inside its acquire's window
// to its end, and no two at the same time (service_lane.hpp has the rule and why it is exact). A grant at exactly the
// end of the one before is legal. Violated (`served_twice`) when no such moments exist; (`acted_late`) when a release
// or renewal took effect though the lease had gone on to another before it was asked for.
//
// Stronger than lease_exclusion, which looks at two grants at a time: each two of three grants may fit together, and
// the three not. Not decided here: grants that are answered after their own lease, whose order is unknown. If they fit
// in the order of the answers the history is legal; otherwise the rest is judged without them, and the search tries
// orders for the whole (key_orders.hpp). The same holds for the answer to a release that may concern another lease than
// its process's last: the process had asked again, and had no answer. Memory: keys, and open operations.
#include <fmt/format.h>

#include <map>

#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/hold.hpp"
#include "checker/properties/lease_service.hpp"
#include "checker/property.hpp"
#include "checker/service_lane.hpp"

namespace holdfast {
namespace {

class LeaseService : public Property {
 public:
  explicit LeaseService(const PropertyContext& context) : context_(context) {}

  void granted(const Hold& hold) override {
    if (!given_up_.empty()) given_up_.erase({hold.process, hold.key});
    give(hold.key, ServiceLane::lease_of(hold));
  }

  // The lease goes on without the belief, and may still be given back.
  void ended(const Hold& hold) override {
    if (without_lock(hold.end)) given_up_[{hold.process, hold.key}] = hold.grant_index;
  }

  void event(const Event& event) override {
    if (event.actor != Actor::client || event.op == Op::write || event.op == Op::leave) return;
    const Operation& operation = context_.holds.operation();
    if (event.op == Op::acquire && event.type == EventType::info) asked_again(event);
    const auto under = lease_under(event);
    if (!under) return;
    if (event.type == EventType::invoke) {
      if (event.op != Op::acquire) each_lane(event, [&](ServiceLane& lane) { lane.asked(*under, event); });
    } else if (event.op == Op::acquire) {
      if (event.type == EventType::ok) granted_again(event, operation);
    } else {
      answered(event, operation, *under);
      const bool settled = event.type == EventType::ok || event.reason == Reason::not_held;
      if (settled && !operation.hold) given_up_.erase({event.process, event.key});  // it has been given back
    }
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"grants", grants_}, {"late_grants", late_grants_}};
    if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    return verdict;
  }

 private:
  struct Lanes {
    ServiceLane all;
    ServiceLane timely;  // without those that were answered after their own lease
  };
  Lanes& at(std::uint32_t key) { return lanes_[key]; }

  // The index of the grant under which an operation goes on; nothing: it is under none.
  std::optional<std::uint64_t> lease_under(const Event& event) const {
    if (const Hold* hold = context_.holds.operation().hold) return hold->grant_index;
    const auto given_up = given_up_.find({event.process, event.key});
    if (event.op != Op::release || given_up == given_up_.end()) return std::nullopt;
    return given_up->second;
  }

  template <typename Ask>
  void each_lane(const Event& event, const Ask& ask) {
    Lanes& lanes = at(event.key);
    ask(lanes.all);
    ask(lanes.timely);  // a lane without late grants
  }

  void give(std::uint32_t key, const ServedLease& lease) {
    ++grants_;
    if (late(lease)) ++late_grants_;
    Lanes& lanes = at(key);
    lanes.all.granted(lease, [&](const ServiceFault&) { doubt(key); });
    if (!late(lease)) lanes.timely.granted(lease, [&](const ServiceFault& fault) { violated_by(key, fault); });
  }

  static bool late(const ServedLease& lease) { return lease.sent_ns + lease.lease_ns <= lease.granted_ns; }

  // Handles a grant to the current holder: while no other client was given a lease, it prolongs its own; after others
  // it is a new lease.
  void granted_again(const Event& event, const Operation& operation) {
    ServedLease lease = ServiceLane::lease_of(*operation.hold);
    lease.sent_ns = operation.invoked_ns;
    lease.granted_ns = event.time_ns;
    lease.invoke_index = operation.index;
    lease.grant_index = lease.end_index = event.index;
    lease.promised_ns = event.lease_ns.value_or(operation.lease_ns.value_or(lease.promised_ns));
    lease.lease_ns = at_least(lease.promised_ns, lease.stray_ns);
    ++grants_;
    if (late(lease)) ++late_grants_;
    Lanes& lanes = at(event.key);
    const auto doubtful = [&](const ServiceFault&) { doubt(event.key); };
    const auto report = [&](const ServiceFault& fault) { violated_by(event.key, fault); };
    again(lanes.all, lease, event, operation, doubtful);
    if (lanes.timely.newest(lease.hold) || !late(lease)) {
      again(lanes.timely, lease, event, operation, report);
    } else {
      lanes.timely.forget(lease.hold);
    }
  }

  static void again(ServiceLane& lane, const ServedLease& lease, const Event& event, const Operation& operation,
                    const ServiceLane::Report& report) {
    if (lane.newest(lease.hold)) {
      lane.answered(lease.hold, event, operation, took_effect(event), report);
    } else {
      lane.granted(lease, report);
    }
  }

  // A holder asked again, and had no answer: what it releases then may be that.
  void asked_again(const Event& event) {
    if (const Hold* hold = context_.holds.operation().hold)
      asked_again_[{event.process, event.key}] = hold->grant_index;
  }

  bool may_be_another(const Event& event, std::uint64_t hold) const {
    if (asked_again_.empty()) return false;
    const auto again = asked_again_.find({event.process, event.key});
    return again != asked_again_.end() && again->second == hold;
  }

  void answered(const Event& event, const Operation& operation, std::uint64_t hold) {
    const bool effective = took_effect(event) && !may_be_another(event, hold);
    Lanes& lanes = at(event.key);
    const auto doubtful = [&](const ServiceFault&) { doubt(event.key); };
    const auto report = [&](const ServiceFault& fault) { violated_by(event.key, fault); };
    const bool all = lanes.all.answered(hold, event, operation, effective, doubtful);
    const bool timely = lanes.timely.answered(hold, event, operation, effective, report);
    // It was open too long to decide here when it took effect.
    if (!all || !timely) context_.orders.doubt(event.key);
  }

  // A fault of the lane of all is one of the timely lane as well, unless a late grant has a part in it.
  void doubt(std::uint32_t key) {
    if (late_grants_ > 0) context_.orders.doubt(key);
  }

  void violated_by(std::uint32_t key, const ServiceFault& fault) {
    if (fault.doubtful) return context_.orders.doubt(key);
    const ServedLease& first = fault.leases.front();
    const ServedLease& last = fault.leases.back();
    const std::int64_t ns = fault.acted_late ? 0 : fault.leases[fault.leases.size() - 2].end_ns() - last.granted_ns;
    findings_.add(fault.acted_late ? "acted_late" : "served_twice", ns, [&] {
      const Story& story = context_.story;
      Witness w;
      w.key = context_.names.keys.at(key);
      for (const ServedLease& lease : fault.leases) {
        w.clients.push_back(lease.client);
        w.indices.insert(w.indices.end(), {lease.invoke_index, lease.grant_index, lease.end_index});
        if (lease.renew_index > 0) w.indices.insert(w.indices.end(), {lease.renew_invoke_index, lease.renew_index});
        w.text += served(lease) + " ";
      }
      w.from_ns = last.granted_ns;
      w.to_ns = last.granted_ns + ns;
      w.text +=
          fault.acted_late
              ? fmt::format("By then the lease of {} had passed to {}.", who(first), who(last))
              : fmt::format(
                    "Granted one after the other, the last lease cannot begin before {}, which is after its answer.",
                    story.at(last.granted_ns + ns));
      return w;
    });
  }

  std::string who(const ServedLease& lease) const { return context_.story.who(lease.process, lease.client); }

  std::string served(const ServedLease& lease) const {
    const Story& story = context_.story;
    std::string text = fmt::format("{} was granted the lock between {} and {}", capitalized(who(lease)),
                                   story.at(lease.sent_ns), story.at(lease.granted_ns, lease.grant_index));
    if (lease.released_ok)
      return text + fmt::format(" and released it at {}.", story.at(lease.ended_ns, lease.end_index));
    return text + fmt::format(", for {}, until {} at least.", story.lasting(lease.lease_ns), story.at(lease.end_ns()));
  }

  PropertyContext context_;
  Findings findings_;
  ById<Lanes> lanes_;
  using Grants = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;  // process and key -> index
  Grants given_up_;
  Grants asked_again_;
  std::int64_t grants_ = 0;
  std::int64_t late_grants_ = 0;
};

}  // namespace

extern const PropertyType property_lease_service{
    .words = &words_lease_service,
    .models = "lease",
    .make = make_property<LeaseService>,
    .of_piece = [](PieceShows shows) { return shows == PieceShows::holders ? "served_twice" : nullptr; }};

}  // namespace holdfast
