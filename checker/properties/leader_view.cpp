// leader_view: an observer sees only real leaders, in the order in which they led.
//
// An observer may see a leader late, even one that has gone since: no lock promises a bound. So its view is true if
// there was a moment, no earlier than that of its view before and no later than when it was read, in which that client
// may have led. Violated otherwise: `never_led` if the client had not even campaigned by then, or only been refused,
// else `went_back`. The moments are taken as early as possible.
//
// Exact: a client may have led from the call of its campaign until it surely led no longer: until its resigning was
// answered (done, or not_held); until another's grant was answered that had been asked for after its own was; until its
// campaign was withdrawn (cancelled). A campaign that was refused at once led to nothing; one of a lock that waits may
// have been won just before it was given up, and the candidate may still stand. A campaign without an answer, and a
// leader that is killed or learns of its loss, may continue to lead as far as the lock knows. Equal times are
// concurrent. Each observer is judged by itself; a restarted one, with a new client, begins again.
//
// Not decided: how late observers see a leader, or that they see it at all. The last way in which a time of leading
// ends holds for a lock whose leaders exclude each other; for others mutual_exclusion reports more.
//
// Memory: the times of leading, which are as few as elections are.
#include "checker/properties/leader_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class LeaderView : public Property {
 public:
  explicit LeaderView(const PropertyContext& context) : context_(context) {}

  void event(const Event& event) override {
    if (event.actor == Actor::observer) return observed(event);
    if (event.actor != Actor::client) return;
    if (event.op == Op::acquire) event.type == EventType::invoke ? campaigns(event) : answered(event);
    if (event.op == Op::release && event.type != EventType::invoke) resigned(event);
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"observations", observations_}, {"changes_of_leader_seen", changes_}};
    if (changes_ == 0) not_exercised(verdict, "no observer saw a change of leader");
    return verdict;
  }

 private:
  using ClientOfKey = std::pair<std::uint32_t, std::uint32_t>;  // key, client

  // A time in which a client may have led.
  struct Term {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = kNever;
    std::uint64_t end_index = 0;
  };
  struct Candidate {
    std::vector<Term> terms;
    int open = 0;                            // campaigns without an answer yet
    bool uncertain = false;                  // one had none, and may still be granted
    std::optional<std::int64_t> granted_ns;  // the answer that made it leader
    std::int64_t asked_ns = 0;               // its last campaign
    bool leads() const { return !terms.empty() && terms.back().to_ns == kNever; }
  };
  struct Seen {
    std::uint32_t leader = 0;
    std::int64_t moment_ns = 0;  // the earliest in which it may have been so
    std::int64_t read_ns = 0;
    std::uint64_t index = 0;
  };

  void campaigns(const Event& event) {
    Candidate& one = candidates_[{event.key, event.client}];
    ++one.open;
    one.asked_ns = event.time_ns;
    if (!one.leads()) one.terms.push_back({event.time_ns, kNever, 0});
  }

  void answered(const Event& event) {
    Candidate& one = candidates_[{event.key, event.client}];
    one.open = std::max(0, one.open - 1);
    if (event.type == EventType::info) one.uncertain = true;
    if (event.type == EventType::fail && !one.granted_ns) refused(one, event);
    if (event.type != EventType::ok) return;
    one.granted_ns = event.time_ns;
    std::set<std::uint32_t>& leaders = leaders_[event.key];
    for (auto at = leaders.begin(); at != leaders.end();) {
      Candidate& other = candidates_[{event.key, *at}];
      if (*at != event.client && other.granted_ns && *other.granted_ns < one.asked_ns) end(other, event);
      at = other.granted_ns ? std::next(at) : leaders.erase(at);
    }
    leaders.insert(event.client);
  }

  void resigned(const Event& event) {
    Candidate& one = candidates_[{event.key, event.client}];
    const bool surely = event.type == EventType::ok || event.reason == Reason::not_held;
    if (surely) end(one, event);
  }

  void refused(Candidate& one, const Event& event) const {
    if (event.reason == Reason::cancelled) return end(one, event);
    // A waiter may have led just before it gave up, and may still stand as a candidate.
    if (one.open > 0 || one.uncertain || !one.leads() || context_.header.waits) return;
    one.terms.pop_back();
  }

  static void end(Candidate& one, const Event& event) {
    if (one.open > 0 || one.uncertain || !one.leads()) return;
    one.terms.back().to_ns = event.time_ns;
    one.terms.back().end_index = event.index;
    one.granted_ns.reset();
  }

  // The first moment from `from_ns` to `to_ns` in which it may have led.
  static std::optional<std::int64_t> may_have_led(const Candidate& one, std::int64_t from_ns, std::int64_t to_ns) {
    // Terms follow one another, so those before the first that reaches `from_ns` are over, and those after it later.
    const auto term = std::lower_bound(one.terms.begin(), one.terms.end(), from_ns,
                                       [](const Term& t, std::int64_t time_ns) { return t.to_ns < time_ns; });
    if (term == one.terms.end() || std::max(term->from_ns, from_ns) > to_ns) return std::nullopt;
    return std::max(term->from_ns, from_ns);
  }

  void observed(const Event& event) {
    ++observations_;
    if (!event.holder) return;
    const Candidate& leader = candidates_[{event.key, *event.holder}];
    const auto before = seen_.find({event.key, event.client});
    const bool first = before == seen_.end();
    const auto moment = may_have_led(leader, first ? 0 : before->second.moment_ns, event.time_ns);
    if (!moment) return leader.terms.empty() ? never_led(event) : went_back(event, before->second, leader);
    if (!first && before->second.leader != *event.holder) ++changes_;
    seen_[{event.key, event.client}] = {*event.holder, *moment, event.time_ns, event.index};
  }

  Witness witness(const Event& event, std::int64_t from_ns) const {
    return {context_.names.keys.at(event.key),
            "",
            {event.index},
            {event.client, *event.holder},
            from_ns,
            event.time_ns,
            ""};
  }

  void never_led(const Event& event) {
    findings_.add("never_led", 0, [&] {
      const Story& story = context_.story;
      Witness out = witness(event, event.time_ns);
      out.text = fmt::format(
          "Client {} saw at {} that client {} led {} (#{}), but that client had not campaigned yet, or had been "
          "refused.",
          event.client, story.at(event.time_ns), *event.holder, story.key(event.key), event.index);
      return out;
    });
  }

  void went_back(const Event& event, const Seen& before, const Candidate& leader) {
    const Term& last = leader.terms.back();
    findings_.add("went_back", event.time_ns - last.to_ns, [&] {
      const Story& story = context_.story;
      Witness out = witness(event, last.to_ns);
      out.indices.insert(out.indices.begin(), {last.end_index, before.index});
      out.text = fmt::format(
          "Client {} saw at {} that client {} led {} (#{}), and then at {} that client {} led (#{}). The second one "
          "had stopped leading at {} (#{}), and the first one had not campaigned before {}.",
          event.client, story.at(before.read_ns), before.leader, story.key(event.key), before.index,
          story.at(event.time_ns), *event.holder, event.index, story.at(last.to_ns), last.end_index,
          story.at(before.moment_ns));
      return out;
    });
  }

  PropertyContext context_;
  Findings findings_;
  std::map<ClientOfKey, Candidate> candidates_;
  ById<std::set<std::uint32_t>> leaders_;  // by key: clients that have an answer which made them leader, and no end yet
  std::map<ClientOfKey, Seen> seen_;       // by observers
  std::int64_t observations_ = 0;
  std::int64_t changes_ = 0;
};

}  // namespace

extern const PropertyType property_leader_view{
    .words = &words_leader_view, .models = "leader", .make = make_property<LeaderView>};

}  // namespace holdfast
