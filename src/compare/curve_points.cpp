#include "compare/curve_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "generate/request_scenarios.hpp"
#include "generate/scenario_draft.hpp"
#include "generate/statement_points.hpp"
#include "generate/strike.hpp"
#include "nemesis/fault.hpp"
#include "plan/make_plan.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

constexpr const char* kCurve = "curve";
constexpr std::int64_t kCurveLease_ms = 2000;
constexpr std::int64_t kLeastFault_ms = 100;
constexpr std::int64_t kCurveTail_ms = 1500;
constexpr std::int64_t kShortJob = 5;  // this and the next: percent of the lease
constexpr std::int64_t kBeforeEnd = 90;
constexpr std::int64_t kAfterEnd = 105;
constexpr std::int64_t kHolds[] = {25, 50, 75, kBeforeEnd};

bool is_aimable(const FaultType& type) {
  const auto settings = parse_json(type.settings, "a fault's settings");
  const auto example = parse_json(type.example, "a fault's example");
  const auto& needed = settings.at("required");
  const bool own = std::any_of(needed.begin(), needed.end(), [](const nlohmann::json& key) { return key != "for_ms"; });
  return !own && !type.strikes_servers() && !example.at("at").contains("time_ms");
}

CurvePart part_of(Situation situation) {
  if (situation == Situation::renewed) return CurvePart::renew;
  return situation == Situation::released ? CurvePart::release : CurvePart::acquire;
}

// A step of an operation: a statement or a request.
struct CurveStep {
  std::string name;  // of the scenario
  std::string words;
  bool after = false;
  bool first = false;  // nothing has been sent before it
  nlohmann::json at;
};

// The job's length, and the clients' pauses between jobs.
struct CurveJobs {
  std::int64_t hold_ms = 0;
  std::int64_t pause_ms = 20;
  std::int64_t clients = kFewClients;
};

class CurveAimer {
 public:
  CurveAimer(const CurveAim& aim, const LockFacts& facts)
      : lock_(aim.lock),
        name_(aim.fault),
        type_(type_of_ref(aim.lock)),
        fault_(*find_entry(faults(), aim.fault)),
        action_(example_of(fault_)->point_action()),
        facts_(facts) {
    type_.tried_lease_ms = aim.lease_ms > 0 ? aim.lease_ms : kCurveLease_ms + longest_wait_ms(type_);
    lease_ms_ = ScenarioDraft(type_, lock_, "x", "").lease_ms();
    const auto example = example_of(fault_);
    if (example->lasts() && !example->ends_itself()) {
      out_.for_ms = aim.for_ms > 0 ? aim.for_ms : std::max(kLeastFault_ms, lease_ms_ / 5);
    }
    if (type_.lease) out_.lease_ms = lease_ms_;
  }

  AimedPoints take() {
    without_fault(kBeforeEnd);
    if (outlives_lease()) without_fault(kAfterEnd);
    in_operation(Situation::granted);
    if (action_ == PointAction::go_on) while_holding();
    in_operation(Situation::renewed);
    in_operation(Situation::released);
    return std::move(out_);
  }

 private:
  std::int64_t part_of_lease(std::int64_t percent) const { return lease_ms_ * percent / 100; }
  int nth() const { return type_.releases ? 2 : 1; }
  bool renews() const { return type_.renews || type_.renews_in_background || type_.renews_unseen; }
  // A client that checks its deadline ends its job before it writes past the lease.
  bool outlives_lease() const { return type_.lease && (renews() || !facts_.looks_at_deadline); }
  bool ends_client() const { return fault_.uses(Capability::spare_clients); }

  std::string share_words(std::int64_t percent) const {
    if (!type_.lease) return fmt::format("after {} ms", part_of_lease(percent));
    return fmt::format("at {} % of the {}lease", percent, renews() ? "first " : "");
  }

  void leave_out(const std::string& moment, const std::string& why) { out_.left_out.push_back({moment, why}); }

  Scenario scenario_of(const std::string& name, const std::string& about, const CurveJobs& jobs,
                       const nlohmann::json& fault) const {
    ScenarioDraft draft(type_, lock_, name, about);
    const std::int64_t poll_ms = std::max<std::int64_t>(5, lease_ms_ / 100);
    const std::int64_t cycle_ms = jobs.hold_ms + 2 * jobs.pause_ms + 100;
    draft.set("clients", jobs.clients).set("poll_ms", poll_ms);
    draft.set("hold_ms", {jobs.hold_ms, jobs.hold_ms + lease_ms_ / 100});
    draft.set("pause_ms", {jobs.pause_ms, 2 * jobs.pause_ms});
    draft.set("coverage", {{"grants", type_.releases ? 3 : 1}, {"attempts_in_hold", 1}});
    const std::int64_t silence_ms = type_.releases ? 0 : lease_ms_ + 3500;
    draft.set("duration_ms", 3 * cycle_ms + out_.for_ms + 2 * lease_ms_ + silence_ms + kCurveTail_ms);
    if (!fault.empty()) draft.add_fault(fault);
    Scenario out = draft.finish();
    out.suite = kCurve;
    return out;
  }

  nlohmann::json fault_at(const nlohmann::json& at) const {
    nlohmann::json out{{"fault", name_}, {"at", at}};
    if (out_.for_ms > 0) out["for_ms"] = out_.for_ms;
    return out;
  }

  // A place in a made-up file means nothing to a reader.
  static std::string without_place(const std::string& refusal) {
    const auto end = refusal.find(".json:");
    const auto colon = end == std::string::npos ? end : refusal.find(": ", end);
    return colon == std::string::npos ? refusal : refusal.substr(colon + 2);
  }

  void add(AimedPoint point) {
    try {
      check_names(point.scenario);
      const std::string why = cannot_have(fitted_to_lock(make_plan(point.scenario, lock_, 1, 1)));
      if (!why.empty()) return leave_out(point.moment, why);
    } catch (const BadInput& refused) {
      return leave_out(point.moment, without_place(refused.what()));
    }
    out_.points.push_back(std::move(point));
  }

  void without_fault(std::int64_t percent) {
    const std::string jobs = type_.lease ? fmt::format("jobs of {} % of the lease", percent)
                                         : fmt::format("jobs of {} ms", part_of_lease(percent));
    add({CurvePart::no_fault, jobs, type_.lease ? fmt::format("{} %", percent) : "none", part_of_lease(percent),
         scenario_of(fmt::format("no_fault_{}", percent), "no fault: " + jobs, {part_of_lease(percent)}, {})});
  }

  void while_holding() {
    const auto at_phase = [this](const char* phase) { return fault_at({{"phase", phase}, {"nth", nth()}}); };
    const std::string about = name_ + " strikes the holder: ";
    add({CurvePart::hold, "just after the grant", "0", 0,
         scenario_of("hold_0", about + "just after the grant", {part_of_lease(kShortJob)}, at_phase("granted"))});
    const auto at_write = [&](std::int64_t percent) {
      const std::string moment = "write " + share_words(percent);
      add({CurvePart::hold, moment, type_.lease ? fmt::format("{} %", percent) : std::to_string(part_of_lease(percent)),
           part_of_lease(percent),
           scenario_of(fmt::format("hold_{}", percent), about + moment, {part_of_lease(percent)},
                       at_phase("critical_section"))});
    };
    for (const auto percent : kHolds) at_write(percent);
    if (outlives_lease()) return at_write(kAfterEnd);
    if (type_.lease) {
      leave_out("write " + share_words(kAfterEnd), "the client checks its deadline, and stops before it");
    }
  }

  // A struck client must be granted the lock later on: the other client leaves the key free for a while.
  CurveJobs jobs_of(Situation situation, bool first) const {
    if (situation == Situation::granted) {
      if (!first) return {part_of_lease(kShortJob), 20, kFewestClients};
      return {part_of_lease(50), std::max<std::int64_t>(2 * out_.for_ms, 200), kFewestClients};
    }
    if (situation == Situation::released) return {part_of_lease(kBeforeEnd)};
    return {renewed_ms() ? *renewed_ms() + lease_ms_ / 10 : part_of_lease(75)};
  }

  std::optional<std::int64_t> renewed_ms() const {
    if (type_.renews) return lease_ms_ / 3;
    if (type_.renews_in_background) return watchdog_delay_ms(type_, lease_ms_);
    return std::nullopt;
  }

  std::optional<std::int64_t> elapsed_in(Situation situation) const {
    if (situation == Situation::released) return part_of_lease(kBeforeEnd);
    return situation == Situation::renewed ? renewed_ms() : std::nullopt;
  }

  bool by_requests() const {
    return type_.manifest != nullptr || (action_ != PointAction::go_on && action_ != PointAction::lose_reply);
  }

  std::vector<CurveStep> statement_steps(Situation situation) const {
    std::vector<CurveStep> out;
    for (const auto& point : statement_points(facts_, situation)) {
      const std::string when = point.after ? "after" : "before";
      out.push_back({when + "_" + point.statement,
                     when + " " + point.statement,
                     point.after,
                     !point.after,
                     {{"statement", point.statement}, {"when", when}, {"of", kOperations[situation]}}});
    }
    return out;
  }

  // Requests of a lock in C++ are as many as its statements.
  std::int64_t requests_of(Situation situation) const {
    std::int64_t most = facts_.requests_of(situation);
    for (const auto& shape : facts_.of(situation)) {
      most = std::max(most, static_cast<std::int64_t>(shape.statements.size()));
    }
    return std::min(most, kMostStruckRequests);
  }

  std::vector<CurveStep> request_steps(Situation situation) const {
    std::vector<CurveStep> out;
    const bool background = situation == Situation::renewed && !type_.renews && type_.manifest != nullptr;
    const char* of = background ? "background" : kOperations[situation];
    const auto add_step = [&](std::int64_t request, bool after) {
      const std::string when = after ? "after" : "before";
      out.push_back({fmt::format("{}_request_{}", when, request),
                     fmt::format("{} request {}", when, request),
                     after,
                     request == 1 && !after,
                     {{"request", request}, {"when", when}, {"of", of}}});
    };
    const bool all_before = action_ != PointAction::go_on;
    for (std::int64_t request = 1; request <= requests_of(situation); ++request) {
      if (request == 1 || all_before) add_step(request, false);
      add_step(request, true);
    }
    return out;
  }

  // A client that ends before it has sent its request never holds the lock.
  bool fits(const CurveStep& step, Situation situation) const {
    if (action_ == PointAction::go_on) return !(step.first && ends_client() && situation == Situation::granted);
    return step.after == (action_ == PointAction::lose_reply);
  }

  // Names the reason, if the lock should have such operations.
  void nothing_seen(Situation situation) {
    if (situation == Situation::renewed && !renews()) return;
    if (situation == Situation::released && !type_.releases) return;
    const std::string part = to_text(part_of(situation));
    if (by_requests() && *server_type(type_.server).protocol == '\0') {
      return leave_out(part,
                       std::string("requests to ") + server_type(type_.server).title + " cannot be distinguished");
    }
    leave_out(part, "the first trial showed no statement or request of it");
  }

  void in_operation(Situation situation) {
    const auto steps = by_requests() ? request_steps(situation) : statement_steps(situation);
    if (steps.empty()) nothing_seen(situation);
    for (const auto& step : steps) {
      const std::string part = to_text(part_of(situation));
      if (!fits(step, situation)) continue;
      nlohmann::json at = step.at;
      at["nth"] = nth();
      if (situation == Situation::granted) at["key"] = "free";
      const std::string about = fmt::format("{} strikes a client in its {}: {}", name_, part, step.words);
      add({part_of(situation), step.words, step.after ? "after" : "before", elapsed_in(situation),
           scenario_of(part + "_" + step.name, about, jobs_of(situation, step.first), fault_at(at))});
    }
  }

  const std::string lock_;
  const std::string name_;
  LockType type_;
  const FaultType& fault_;
  const PointAction action_;
  const LockFacts& facts_;
  std::int64_t lease_ms_ = 0;
  AimedPoints out_;
};

}  // namespace

AimedPoints aimed_points(const CurveAim& aim, const LockFacts& facts) {
  return CurveAimer(aim, facts).take();
}

std::vector<std::string> aimable_faults() {
  std::vector<std::string> out;
  for (const auto& [name, type] : faults()) {
    if (is_aimable(*type)) out.push_back(name);
  }
  return out;
}

void check_aimable(const std::string& fault) {
  const auto all = aimable_faults();
  if (std::find(all.begin(), all.end(), fault) != all.end()) return;
  if (find_entry(faults(), fault) == nullptr) throw BadInput("--fault: " + unknown_word("fault", fault, all));
  throw BadInput("--fault " + fault + ": cannot be aimed at a point of a client's work; remedy: one of " +
                 fmt::format("{}", fmt::join(all, ", ")));
}

}  // namespace holdfast
