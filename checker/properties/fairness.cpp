// fairness: a client that waits for a key is granted it before too many that asked later.
//
// Rule: violated when, between the call of an acquire and its answer (or the end), more others that called theirs later
// were granted the key than the lock promises (the header's `overtakes_most`; 0: first come, first served). Kinds:
// `overtaken`, or `starved` where it has no answer to the end; the cause of a fault that struck the waiter meanwhile (a
// suspicion: causes.hpp).
//
// Exact, as overtakes.hpp explains; the arrival of a request is unknown, so the promise is about calls. If the waiter
// was kept from its processor, its request may have been sent that much later, and only clients that asked after that
// are counted; if that makes the difference, it is undecided. A client that was killed, or is refused, waits no more.
//
// Applies only if the history promises it; the number of times that waiters were passed is measured in every history
// (observations.hpp). It is not exercised if no grant was made while another client waited for the key.
#include "checker/properties/fairness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checker/findings.hpp"
#include "checker/overtakes.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostPassing = 256;  // of one waiter; promised bounds are smaller
constexpr std::size_t kMostNamed = 5;

class Fairness : public Property {
 public:
  explicit Fairness(const PropertyContext& context) : context_(context), waits_(kMostPassing, *this) {}

  void event(const Event& event) override {
    if (event.actor == Actor::nemesis && event.step == FaultStep::kill) waits_.killed(event);
    if (event.actor != Actor::client || event.op != Op::acquire) return;
    const Operation& operation = context_.holds.operation();
    waits_.event(event, operation);
    if (event.type != EventType::ok || operation.hold != nullptr) return;
    context_.holds.each_open([&](std::uint32_t, const Operation& o) {
      if (o.op == Op::acquire && o.key == event.key && !o.dead) waited_ = true;
    });
  }

  // One that waits no more.
  void waited(const Waited& one, const std::vector<Overtaking>& by) {
    ++acquires_;
    most_ = std::max(most_, one.overtaken);
    if (one.overtaken > context_.header.overtakes_most) judge(one, by);
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    waits_.finish();
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"acquires", acquires_}, {"most_overtaken", most_}};
    if (!waited_) not_exercised(verdict, "no client was granted a key while another waited for it");
    return verdict;
  }

 private:
  void judge(const Waited& one, const std::vector<Overtaking>& by) {
    const std::int64_t promised = context_.header.overtakes_most;
    const std::int64_t to_ns = one.answered() ? one.answered_ns : context_.holds.now_ns();
    const Stalled stalled = context_.faults.stalled_between(one.client, one.called_ns, to_ns);
    const std::int64_t sent_by_ns = one.called_ns + stalled.waited_ns;
    const auto passed =
        std::count_if(by.begin(), by.end(), [&](const Overtaking& each) { return each.called_ns > sent_by_ns; });
    if (stalled.longest != nullptr && passed <= promised) return doubt(one, stalled);
    const FaultRecord* fault = context_.faults.cause_between({{one.client, one.called_ns}}, to_ns);
    const std::string kind = fault != nullptr ? fault->cause : one.answered() ? "overtaken" : "starved";
    findings_.add(kind, to_ns - one.called_ns, [&] { return witness(one, by, to_ns, fault); });
  }

  void doubt(const Waited& one, const Stalled& stalled) {
    findings_.undecided([&] {
      const Story& story = context_.story;
      return fmt::format("machine stalled {}: the request of {} for {}, called at {}, may have been sent later",
                         story.lasting(stalled.waited_ns), story.who(one.process, one.client), story.key(one.key),
                         story.at(one.called_ns, one.invoke_index));
    });
  }

  // As many grants as show that the promise is broken.
  Witness witness(const Waited& one, const std::vector<Overtaking>& by, std::int64_t to_ns,
                  const FaultRecord* fault) const {
    const Story& story = context_.story;
    Witness out{context_.names.keys.at(one.key), "", {one.invoke_index}, {one.client}, one.called_ns, to_ns, ""};
    if (one.answered()) out.indices.push_back(one.index);
    const auto needed = static_cast<std::size_t>(context_.header.overtakes_most) + 1;
    std::string others;
    for (std::size_t i = 0; i < std::min(needed, by.size()); ++i) {
      const Overtaking& each = by[i];
      out.indices.insert(out.indices.end(), {each.invoke_index, each.index});
      if (std::find(out.clients.begin(), out.clients.end(), each.client) == out.clients.end())
        out.clients.push_back(each.client);
      if (i < kMostNamed) others += fmt::format("{}#{}", i == 0 ? "" : ", ", each.index);
    }
    if (std::min(needed, by.size()) > kMostNamed) others += ", ...";
    const std::string until = one.answered() ? fmt::format("was {} at {}", one.granted ? "granted it" : "answered",
                                                           story.at(one.answered_ns, one.index))
                                             : "had no answer until the end of the trial";
    out.text = fmt::format(
        "{} asked for {} at {} and {}; meanwhile {} later {} {} granted ({}), where the lock promises {}.",
        story.subject(one.process, one.client), story.key(one.key), story.at(one.called_ns, one.invoke_index), until,
        one.overtaken, one.overtaken == 1 ? "acquire" : "acquires", one.overtaken == 1 ? "was" : "were", others,
        promised_words());
    out.text += story.suspicion(fault);
    return out;
  }

  std::string promised_words() const {
    const std::int64_t most = context_.header.overtakes_most;
    return most == 0 ? "none" : fmt::format("at most {}", most);
  }

  PropertyContext context_;
  Findings findings_;
  Overtakes<Fairness> waits_;
  bool waited_ = false;  // a client waited while another was granted the key
  std::int64_t acquires_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace

extern const PropertyType property_fairness{.words = &words_fairness, .models = "", .make = make_property<Fairness>};

}  // namespace holdfast
