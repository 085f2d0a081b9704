// permits: of a semaphore no more permits are held at once than there are; of a read-write lock one exclusive hold, or
// any number of shared ones.
//
// Rule, in foreign histories under the models semaphore:N and read_write, per key. The core of a hold is [answer of its
// acquire, call of its release]; a release that surely had no effect does not end it; one of unknown outcome ends the
// core when it was called, unless the clean-up that follows is answered ok: then the hold went on until that was
// called. Legal iff the cores never take more than there is, every release that answers ok has a hold or cleans up, no
// holder is answered not_held, each clean-up of an unanswered acquire finds room for the permits that it gives back at
// some moment of its window, and no acquire is refused that surely found room (permit_refusals.hpp). Kinds:
// `too_many_holders`, `release_without_grant`, `lost_lock`, `refused_with_room`.
//
// Exact for the reason that the mutex's rule is: every choice of moments contains the cores, and the latest acquire and
// the earliest release make every hold its core, all at once. A clean-up's hold needs one moment, so that clean-ups do
// not get into each other's way.
//
// Not decided: what several `busy` answers need together; each is judged by itself. And what came of a release cleaned
// up long after (permit_ledger.hpp): `undecided`.
#include <fmt/format.h>

#include <algorithm>

#include "checker/findings.hpp"
#include "checker/model.hpp"
#include "checker/permit_refusals.hpp"
#include "checker/permit_rule.hpp"
#include "checker/properties/permits.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

const char* kind_of(PermitFault::Kind kind) {
  switch (kind) {
    case PermitFault::Kind::released_without_grant:
      return "release_without_grant";
    case PermitFault::Kind::lost:
      return "lost_lock";
    case PermitFault::Kind::too_many:
    case PermitFault::Kind::forgotten:
      break;
  }
  return "too_many_holders";
}

class PermitsProperty : public Property {
 public:
  explicit PermitsProperty(const PropertyContext& context)
      : context_(context),
        semaphore_(permits_of(context.header.model)),
        rule_(semaphore_ > 0 ? Permits{semaphore_, 1} : Permits{kAllPermits, kAllPermits},
              [this](std::uint32_t key, const PermitFault& fault) { found(key, fault); }),
        refusals_(semaphore_ > 0 ? semaphore_ : 1, [this](const PermitRefusal& refusal) { refused(refusal); }) {}

  void event(const Event& event) override {
    if (event.step == FaultStep::kill) killed(event);
    if (event.actor != Actor::client) return;
    if (event.process >= client_.size()) client_.resize(event.process + 1);
    client_[event.process] = event.client;
    if (event.op == Op::acquire && event.type == EventType::ok) ++grants_;
    rule_.event(event, context_.holds.operation());
    refusals_.event(event, context_.holds.operation());
  }
  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    rule_.finish();
    refusals_.finish();
    for (const Kept& kept : kept_) findings_.rewrite(kept.number, witness(kept.key, kept.fault));
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"grants", grants_}, {"most_holders", rule_.most_held()}};
    if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    return verdict;
  }

 private:
  // Whatever the client's processes hold is over.
  void killed(const Event& event) {
    for (std::uint32_t process = 0; process < client_.size(); ++process) {
      if (std::find(event.clients.begin(), event.clients.end(), client_[process]) == event.clients.end()) continue;
      for (std::uint32_t key = 0; key < context_.names.keys.size(); ++key) {
        rule_.over(process, key, event.time_ns, event.index);
      }
    }
  }

  void refused(const PermitRefusal& refusal) {
    findings_.add("refused_with_room", refusal.window.to_ns - refusal.window.from_ns, [&] {
      const Story& story = context_.story;
      Witness w;
      w.key = context_.names.keys.at(refusal.key);
      w.clients = {refusal.client};
      w.indices = {refusal.invoke_index, refusal.index};
      w.from_ns = refusal.window.from_ns;
      w.to_ns = refusal.window.to_ns;
      w.text = fmt::format("{} asked for {} at {} and was refused as busy at {}. At no time in between can {}.",
                           story.subject(refusal.process, refusal.client), story.key(refusal.key), story.at(w.from_ns),
                           story.at(w.to_ns, refusal.index),
                           semaphore_ > 0
                               ? fmt::format("more than {} of its {} permits have been held", refusal.most, semaphore_)
                               : "any process have held it");
      return w;
    });
  }

  void found(std::uint32_t key, const PermitFault& fault) {
    if (fault.kind == PermitFault::Kind::forgotten) {
      findings_.undecided([&] {
        return fmt::format("{} cleaned up {} too long after the call that it cleaned up, at {}",
                           context_.story.who(fault.process, fault.client), context_.story.key(key),
                           context_.story.at(fault.window.from_ns));
      });
      return;
    }
    const auto number = findings_.add(kind_of(fault.kind), 0, [&] { return witness(key, fault); });
    if (number) kept_.push_back({*number, key, fault});
  }

  Witness witness(std::uint32_t key, const PermitFault& fault) const {
    Witness w;
    w.key = context_.names.keys.at(key);
    w.indices = fault.indices;
    if (!fault.indices.empty()) w.clients.push_back(fault.client);
    w.from_ns = fault.indices.empty() ? 0 : fault.window.from_ns;
    w.to_ns = fault.indices.empty() ? kNever : fault.window.to_ns;
    PermitHolds holds = fault.holds;
    std::sort(holds.begin(), holds.end(), [](const auto& a, const auto& b) { return a->grant_index < b->grant_index; });
    for (const auto& hold : holds) {
      if (std::find(w.clients.begin(), w.clients.end(), hold->client) == w.clients.end())
        w.clients.push_back(hold->client);
      w.indices.insert(w.indices.end(), hold->indices.begin(), hold->indices.end());
      w.text += held(*hold, key) + " ";
      w.from_ns = std::max(w.from_ns, hold->granted_ns);
      w.to_ns = std::min(w.to_ns, hold->ended_ns);
    }
    w.to_ns = std::max(w.from_ns, std::min(w.to_ns, context_.holds.now_ns()));
    w.text += why(key, fault, w);
    return w;
  }

  std::string held(const PermitHold& hold, std::uint32_t key) const {
    const Story& story = context_.story;
    const std::string what = semaphore_ > 0 ? "had a permit of" : hold.takes == 1 ? "shared" : "exclusively held";
    const std::string to =
        hold.ended_ns == kNever ? "on" : fmt::format("to {}", story.at(hold.ended_ns, hold.indices.back()));
    return fmt::format("{} {} {} from {} (acquire #{}) {}.", story.subject(hold.process, hold.client), what,
                       story.key(key), story.at(hold.granted_ns), hold.grant_index, to);
  }

  std::string why(std::uint32_t key, const PermitFault& fault, const Witness& w) const {
    const Story& story = context_.story;
    const std::string who = story.who(fault.process, fault.client);
    const auto last = fault.indices.empty() ? 0 : fault.indices.back();
    switch (fault.kind) {
      case PermitFault::Kind::released_without_grant:
        return fmt::format("{} released {} at {} and was answered ok, but had no grant to release.", capitalized(who),
                           story.key(key), story.at(fault.window.to_ns, last));
      case PermitFault::Kind::lost:
        return fmt::format("It was answered at {} that it does not hold the lock.", story.at(fault.window.to_ns, last));
      case PermitFault::Kind::too_many:
      case PermitFault::Kind::forgotten:
        break;
    }
    if (!fault.indices.empty()) {
      return fmt::format(
          "All that time {} was releasing a grant that it had not learned of (#{}): at no time can it have held this "
          "grant.",
          who, last);
    }
    const std::string most = semaphore_ > 0
                                 ? fmt::format("{} permits were held, and there are {}", fault.holds.size(), semaphore_)
                                 : "one process held it exclusively while others held it";
    return fmt::format("From {} to {}, {}.{}", story.at(w.from_ns), story.at(w.to_ns), most, of_one(fault));
  }

  // A reader who expects a reentrant lock must learn this.
  static std::string of_one(const PermitFault& fault) {
    const bool one = std::all_of(fault.holds.begin(), fault.holds.end(),
                                 [&](const auto& hold) { return hold->process == fault.holds.front()->process; });
    return one ? " All holds belong to one process: under this model, a process that acquires again while it holds has "
                 "another hold."
               : "";
  }

  // Holds may go on: what is kept is written again at the end.
  struct Kept {
    std::size_t number = 0;
    std::uint32_t key = 0;
    PermitFault fault;
  };

  PropertyContext context_;
  std::int64_t semaphore_;  // number of permits; 0: a read-write lock
  PermitRule rule_;
  PermitRefusals refusals_;
  Findings findings_;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> client_;  // by process
  std::int64_t grants_ = 0;
};

}  // namespace

extern const PropertyType property_permits{
    .words = &words_permits, .models = "semaphore read_write", .make = make_property<PermitsProperty>};

}  // namespace holdfast
