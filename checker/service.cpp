#include "checker/service.hpp"

#include <algorithm>
#include <map>

#include "checker/acquire_waits.hpp"
#include "checker/availability.hpp"
#include "checker/faults.hpp"
#include "checker/recoveries.hpp"
#include "history/open_history.hpp"

namespace holdfast {
namespace {

class ServiceMeter : public HoldListener {
 public:
  explicit ServiceMeter(HistorySource& source)
      : source_(source),
        holds_(source.header(), *this),
        availability_(holds_),
        waits_(holds_),
        recoveries_(availability_) {}

  Service run() {
    Event event;
    while (source_.next(event)) apply(event);
    if (loaded_) end_load(holds_.now_ns());
    holds_.finish();
    out_.recoveries = recoveries_.finish();
    return std::move(out_);
  }

  void granted(const Hold& hold) override {
    recoveries_.granted(hold);
    if (hold.token) newest_[hold.key] = std::max(newest_[hold.key], *hold.token);
    if (!loaded_) return;
    availability_.granted(hold);
    waits_.granted(hold);
    out_.granted_ns.push_back(hold.granted_ns);
    if (struck(hold.client)) ++out_.struck_grants;
  }

  void ended(const Hold& hold) override { availability_.ended(hold); }

 private:
  void apply(const Event& event) {
    faults_.apply(event);
    holds_.apply(event);
    if (event.actor == Actor::nemesis) nemesis(event);
    recoveries_.event(event);
    if (!loaded_) return;
    availability_.event(event);
    waits_.event(event);
    if (event.actor == Actor::client) client(event);
  }

  void client(const Event& event) {
    out_.statements += static_cast<std::int64_t>(event.statements.size());
    if (event.op == Op::write && event.type == EventType::fail && event.token && *event.token < newest_[event.key]) {
      ++out_.fencing_rejections;
    }
    if (event.op != Op::acquire || event.type != EventType::invoke || !struck(event.client)) return;
    const auto& all = holds_.believers(event.key);
    const bool in_hold = std::any_of(all.begin(), all.end(), [&](auto* t) { return t->process != event.process; });
    if (in_hold) ++out_.struck_attempts_in_hold;
  }

  void nemesis(const Event& event) {
    if (event.step == FaultStep::load_end && loaded_) end_load(event.time_ns);
    if (event.step != FaultStep::begin || !loaded_) return;
    for (std::uint32_t key = 0; key < source_.names().keys.size(); ++key) {
      for (const Hold* hold : holds_.believers(key)) {
        if (faults_.all().back().strikes(hold->client)) ++out_.struck_grants;
      }
    }
  }

  bool struck(std::uint32_t client) const {
    const auto& all = faults_.all();
    return std::any_of(all.begin(), all.end(),
                       [&](const FaultRecord& f) { return f.end_ns == kNever && f.strikes(client); });
  }

  void end_load(std::int64_t now_ns) {
    loaded_ = false;
    availability_.finish(now_ns);
    out_.load_ns = now_ns;
    out_.grants = static_cast<std::int64_t>(out_.granted_ns.size());
    out_.gaps = availability_.gaps();
    for (const Window& gap : out_.gaps) {
      out_.unavailable_ns += gap.to_ns - gap.from_ns;
      out_.longest_gap_ns = std::max(out_.longest_gap_ns, gap.to_ns - gap.from_ns);
    }
    out_.uncontended_ns = waits_.uncontended_ns();
    out_.contended_ns = waits_.contended_ns();
    std::sort(out_.uncontended_ns.begin(), out_.uncontended_ns.end());
    std::sort(out_.contended_ns.begin(), out_.contended_ns.end());
  }

  HistorySource& source_;
  Holds holds_;
  FaultLog faults_;
  Availability availability_;
  AcquireWaits waits_;
  Recoveries recoveries_;
  std::map<std::uint32_t, std::uint64_t> newest_;  // by key: the largest token granted so far
  Service out_;
  bool loaded_ = true;
};

}  // namespace

Service measure_service(HistorySource& source) {
  return ServiceMeter(source).run();
}

Service measure_service(const std::string& path) {
  return measure_service(*open_history(path));
}

}  // namespace holdfast
