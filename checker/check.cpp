#include "checker/check.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "checker/busy_rule.hpp"
#include "checker/model.hpp"
#include "checker/observations.hpp"
#include "checker/property_set.hpp"
#include "checker/retirement.hpp"
#include "checker/silences.hpp"
#include "history/open_history.hpp"
#include "history/tied_events.hpp"

namespace holdfast {
namespace {

// Errors of a header name the file. It is the first line, even if the model is wrong.
HistoryHeader header_of(const HistorySource& source, const std::string& model) {
  if (!model.empty()) check_model(model);
  try {
    return header_under(source.header(), model);
  } catch (const BadInput& e) {
    throw BadInput(source.path() + ":1: " + e.what());
  }
}

// Everything that looks at one history, wired up.
class Check : public HoldListener {
 public:
  Check(HistorySource& source, const std::string& model)
      : source_(source),
        events_(source),
        header_(header_of(source, model)),
        needs_leases_(header_.model == "lease"),
        is_plain_(header_.model == "plain"),
        is_special_(is_plain_ || !header_.foreign),
        story_(header_, source.names()),
        holds_(header_, *this),
        causes_(faults_, holds_),
        struck_(header_, holds_, faults_),
        coverage_(header_, holds_, faults_, struck_),
        orders_(header_, holds_, story_),
        context_{header_,   source.names(), holds_, faults_, causes_, story_,
                 coverage_, struck_,        plain_, orders_, &busy_},
        busy_(context_),
        properties_(context_, properties()),
        measures_(context_),
        timeline_(context_),
        unjudged_(context_),
        silences_(context_) {}

  TrialVerdict run(CheckScope scope) {
    looks_at_open_ = scope == CheckScope::first_violation && header_.foreign;
    if (looks_at_open_) source_.while_waiting([this](std::int64_t until_ns) { return decided_by(until_ns); });
    const Event* event = events_.next();
    if (event != nullptr) begin(*event);
    for (; event != nullptr && !decided_by(event->time_ns); event = events_.next()) {
      apply(*event);
      if (scope == CheckScope::whole || !properties_.decided()) continue;
      stopped_ = true;
      break;
    }
    source_.while_waiting(nullptr);
    stopped_ = stopped_ || decided_open_;
    if (header_.foreign && !stopped_) warnings_ = silences_.told();
    holds_.finish();
    busy_.finish();
    if (is_plain_) plain_.finish();
    return verdict();
  }

  void granted(const Hold& hold) override {
    if (needs_leases_ && hold.lease_ns == 0) refuse("a grant without lease_ms; model lease needs one");
    coverage_.granted(hold);
    busy_.granted(hold);
    measures_.granted(hold);
    properties_.granted(hold);
    note_open(hold);
  }

  void resumed(const Hold& hold, const std::vector<Hold>& meanwhile) override {
    properties_.resumed(hold, meanwhile);
    note_open(hold);
  }

  void ended(const Hold& hold) override {
    coverage_.ended(hold);
    busy_.ended(hold);
    measures_.ended(hold);
    properties_.ended(hold);
    timeline_.ended(hold, properties_.violated());
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw BadInput(events_.place() + ": " + why); }

  void note_open(const Hold& hold) {
    if (looks_at_open_ && holds_.believers(hold.key).size() > 1) open_together_.push_back(hold.key);
  }

  // True if holds that are open together violate a property. They must have been so for a positive time: until
  // `until_ns`, before which no further event happens.
  bool decided_by(std::int64_t until_ns) {
    if (open_together_.empty() || until_ns <= holds_.now_ns()) return decided_open_;
    holds_.passed(until_ns);
    decided_open_ = std::any_of(open_together_.begin(), open_together_.end(),
                                [this](std::uint32_t key) { return properties_.decided_by_open_holds(key); });
    open_together_.clear();
    return decided_open_;
  }

  void begin(const Event& first) {
    story_.begin(first.time_ns, source_.timed());
    silences_.begin(first.time_ns);
  }

  void apply(const Event& event) {
    if (needs_leases_ && !source_.timed()) refuse("time: is missing; model lease needs it");
    if (event.shared && header_.foreign && !knows_shared(header_.model)) {
      refuse("mode: model " + header_.model + " has no shared holds; remedy: --model read_write");
    }
    if (event.actor != Actor::client) return apply_other(event);
    if (event.client >= clients_) clients_ = event.client + 1;
    if (event.op == Op::leave) return left(event);
    event.type == EventType::invoke ? called(event) : answered(event);
  }

  // A fault, or an event of the resource or an observer: a small part of all events.
  void apply_other(const Event& event) {
    if (event.actor == Actor::assertion && header_.foreign) {
      refuse("an assertion: only histories of holdfast's own runs have them; remedy: remove the line");
    }
    const bool kill = event.step == FaultStep::kill;
    faults_.apply(event);
    holds_.apply(event);
    if (is_special_) apply_special(event);
    if (kill) busy_.killed(event);
    if (kill && event.actor == Actor::nemesis) measures_.killed(event);
    properties_.event(event);
    if (kill && event.actor == Actor::nemesis) orders_.killed(event);
  }

  // Every event of a run of ours, or under model plain.
  void apply_special(const Event& event) {
    if (!header_.foreign) causes_.event(event);
    if (!header_.foreign) struck_.event(event);
    if (!header_.foreign) measures_.event_of_run(event);
    if (is_plain_) plain_.event(event);
  }

  // It calls nothing: it says so, and its holder believes no more.
  void left(const Event& event) {
    holds_.left(event);
    if (is_special_) apply_special(event);
    busy_.left(event);
    silences_.heard(event);
    properties_.event(event);
    orders_.left(event);
  }

  void called(const Event& event) {
    const bool goes_on = retirement_.called(event, events_);
    holds_.called(event);
    if (is_special_) apply_special(event);
    if (event.op == Op::acquire) coverage_.called(event);
    busy_.called(event);
    measures_.called(event);
    silences_.heard(event);
    properties_.event(event);
    orders_.called(event);
    if (goes_on) orders_.goes_on(event);
  }

  void answered(const Event& event) {
    if (event.type == EventType::info && header_.foreign) retirement_.unanswered(event);
    holds_.answered(event);
    if (is_special_) apply_special(event);
    if (event.op == Op::acquire) coverage_.answered(event);
    busy_.answered(event);
    measures_.answered(event);
    if (header_.foreign) unjudged_.answered(event);
    silences_.heard(event);
    properties_.event(event);
    orders_.answered(event);
    if (TimelineRecord::shows(event)) timeline_.event(event, properties_.violated());
    if (retires(event) && holds_.forget(event.process)) properties_.forgotten(event.process);
  }

  // At most one release follows it, and nothing after that.
  bool retires(const Event& answer) const {
    const bool clean_up = answer.op == Op::release && holds_.operation().hold == nullptr;
    if (answer.type != EventType::info && !clean_up) return false;
    return !answer.background && (answer.op == Op::acquire || answer.op == Op::release);
  }

  TrialVerdict verdict() {
    TrialVerdict out;
    out.lock = header_.lock;
    out.scenario = header_.scenario;
    out.seed = header_.seed;
    out.model = header_.model;
    out.clients = std::max(header_.clients, clients_);
    out.properties = properties_.finish();
    const bool tried = orders_.try_doubted(out.properties);
    if (retirement_.broken() && !tried) doubt(out.properties);
    orders_.settle(source_.names(), out.properties);
    if (stopped_) leave_open(out.properties);
    out.judgement = judgement(out.properties);
    out.measures = measures_.finish();
    out.timeline = timeline_.finish();
    out.not_judged = unjudged_.told();
    out.warnings = warnings_;
    for (auto& warning : source_.warnings(!stopped_)) out.warnings.push_back(std::move(warning));
    return out;
  }

  void doubt(std::vector<PropertyVerdict>& verdicts) const {
    for (PropertyVerdict& v : verdicts) {
      if (v.judgement != Judgement::holds) continue;
      v.judgement = Judgement::undecided;
      v.reason = retirement_.place() + ": process " + source_.names().processes.at(retirement_.process()) +
                 " continues after an indeterminate result with more than one release";
    }
  }

  // The rest of a history that was read to its first violation only is unknown.
  static void leave_open(std::vector<PropertyVerdict>& verdicts) {
    for (PropertyVerdict& v : verdicts) {
      if (v.judgement == Judgement::violated || v.judgement == Judgement::not_applicable) continue;
      v.judgement = Judgement::undecided;
      v.reason = "the history was read only up to the first violation";
    }
  }

  Judgement judgement(const std::vector<PropertyVerdict>& verdicts) const {
    for (const Judgement j : {Judgement::violated, Judgement::undecided, Judgement::not_exercised, Judgement::holds}) {
      for (const PropertyVerdict& v : verdicts) {
        if (v.judgement == j && decides(v.property, header_.model)) return j;
      }
    }
    return Judgement::not_applicable;
  }

  HistorySource& source_;
  TiedEvents events_;
  HistoryHeader header_;
  bool needs_leases_;
  bool is_plain_;
  bool is_special_;
  Story story_;
  FaultLog faults_;
  Holds holds_;
  Causes causes_;
  StruckAcquires struck_;
  HoldCoverage coverage_;
  PlainChanges plain_;
  KeyOrders orders_;
  PropertyContext context_;
  BusyRule busy_;
  PropertySet properties_;
  MeasuresRecord measures_;
  TimelineRecord timeline_;
  Unjudged unjudged_;
  Silences silences_;
  std::vector<std::string> warnings_;
  Retirement retirement_;
  std::uint32_t clients_ = 0;
  bool stopped_ = false;  // before the history's end
  bool looks_at_open_ = false;
  bool decided_open_ = false;
  std::vector<std::uint32_t> open_together_;  // keys on which the last event began a hold beside another
};

}  // namespace

TrialVerdict check_history(const InputFile& file, const std::string& model, CheckScope scope) {
  return check_history(*open_history(file), model, scope);
}

TrialVerdict check_history(HistorySource& source, const std::string& model, CheckScope scope) {
  return Check(source, model).run(scope);
}

}  // namespace holdfast
