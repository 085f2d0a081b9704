// fencing: tokens rise with the grants, so that a resource can recognize a former holder.
//
// Rule, per key, violated when
// (1) a grant's token is not larger than that of a grant that had returned before it was asked for,
// (2) or than that of a belief that had ended before it was granted, even if both had been asked for at the same time,
// (3) or than that of a grant that was served later, as the leases of the two show, while both believed (`drawn_late`),
// (4) or the guarded resource accepts a write with a smaller token than one it accepted before (`stale_write`).
// The kind of (1) and (2) is the cause of a fault that acted between the two grants, else `algorithm`.
//
// Exact: in (1) real time orders the two grants; in (2) the order of the beliefs does, since a belief that has ended
// ended before the next could begin; only a grant that arrives after its own lease may be older, so (2) leaves it out.
// In (3) the leases order them (hold.hpp: served_before), in whichever order the two were answered: a holder that is
// answered after its lease was served before the one that holds inside its own. It is not enough that the other was
// asked for after one's lease had ended: a request may be served long after it was sent, when the lock is free again,
// and its token is rightly the newest. None of the three implies another. Equal time stamps order nothing. A grant to
// the holder itself may repeat its token; one with another must rise like any, except in a reentrant lock. Not decided:
// concurrent grants whose beliefs overlap inside both leases; that overlap is lease_exclusion's; equal tokens of two
// grants that may have been served in either order; and the safety of a resource that does not look at tokens: (4) is
// judged only if it does.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/holds.hpp"
#include "checker/latest_token.hpp"
#include "checker/overlap.hpp"
#include "checker/properties/fencing.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

Token token_of(const Hold& hold) {
  return {*hold.token, hold.sent_ns, hold.granted_ns, hold.process, hold.client, hold.grant_index};
}

Token token_of(const Event& event, std::int64_t sent_ns) {
  return {*event.token, sent_ns, event.time_ns, event.process, event.client, event.index};
}

class Fencing : public Property {
 public:
  explicit Fencing(const PropertyContext& context) : context_(context) {}

  void granted(const Hold& hold) override {
    if (hold.shared) return;  // readers write nothing
    ++grants_;
    if (!hold.token) {
      ++without_token_;
      return;
    }
    const Token token = token_of(hold);
    Process& process = processes_[hold.process];
    process.own = hold.token;
    const auto& asked = process.asked;
    const Token* over = at(hold.key).ended.largest_before(hold.granted_ns);
    if (asked && asked->value >= token.value) {
      regressed(hold.key, *asked, token, "before the second was asked for");
    } else if (over && over->value >= token.value && !hold.late()) {
      regressed(hold.key, *over, token, "and had ended before the second was granted");
    }
    at(hold.key).granted.add(token, hold.granted_ns);
  }

  void ended(const Hold& hold) override {
    if (!hold.token) return;
    if (!hold.believed()) at(hold.key).ended.add(token_of(hold), hold.ended_ns);
    const auto& others = context_.holds.believers(hold.key);
    const std::size_t looks = compared_ < kEach ? others.size() : std::min(others.size(), kThen);
    for (std::size_t i = 0; i < looks; ++i) compare(hold, *others[i]);
    compared_ += looks;
    passed_over_ += others.size() - looks;
  }

  void resumed(const Hold& hold, const std::vector<Hold>& meanwhile) override {
    if (!hold.token) return;
    for (const Hold& other : meanwhile) compare(hold, other);
  }

  EventFilter events_wanted() const override {
    const EventFilter grants =
        EventFilter::none().with(EventType::invoke, Op::acquire).with(EventType::ok, Op::acquire);
    return grants.with(Op::write).with_others().with_granted().with_ended();
  }

  void event(const Event& event) override {
    if (event.actor == Actor::resource) accepted(event, copy(at(event.key).accepted.largest()), event.time_ns);
    if (event.actor != Actor::client || (event.op != Op::acquire && event.op != Op::write)) return;
    if (event.type == EventType::invoke) {
      invoked(event);
    } else if (event.type == EventType::ok && event.op == Op::acquire && event.token) {
      again(event);
    } else if (event.type == EventType::ok && event.op == Op::write && context_.header.foreign) {
      written(event);
    }
  }

  void forgotten(std::uint32_t process) override { processes_.forget(process); }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    if (without_token_ > 0) {
      findings_.undecided([&] { return fmt::format("{} of {} grants have no token", without_token_, grants_); });
    }
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"grants", grants_}, {"stale_tokens_presented", stale_presented_}};
    if (passed_over_ > 0) verdict.coverage["pairs_not_looked_at"] = static_cast<std::int64_t>(passed_over_);
    if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    if (!context_.header.foreign && context_.header.lease_ns > 0 && stale_presented_ == 0) {
      not_exercised(verdict, "no write with a stale token reached the resource");
    }
    return verdict;
  }

 private:
  struct Key {
    LatestToken granted;   // by the time of the grant
    LatestToken ended;     // by the end of the belief
    LatestToken accepted;  // by the resource
  };
  struct Process {
    std::optional<Token> asked;            // the largest when its open operation was invoked
    std::optional<std::uint64_t> carried;  // the token of its last write
    std::optional<std::uint64_t> own;      // the token of its last grant
  };
  Key& at(std::uint32_t key) { return keys_[key]; }

  // If thousands believe at once, there are too many pairs to look at each.
  static constexpr std::size_t kEach = 10'000'000;
  static constexpr std::size_t kThen = 100;  // per hold

  // Two that believed at the same time. A release that surely had no effect lets a hold end twice.
  void compare(const Hold& a, const Hold& b) {
    const auto met_before = [](const Hold& resumed, const Hold& other) {
      return resumed.resumed_ns >= 0 && other.granted_ns < resumed.resumed_ns;
    };
    if (!a.token || !b.token || both_shared(a, b) || met_before(a, b) || met_before(b, a)) return;
    const auto overlap = belief_overlap(a, b, context_.holds.now_ns());
    if (!overlap) return;
    for (const auto& [first, second] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
      const bool told_by_order = second->sent_ns > first->granted_ns;  // so it is (1) that says it
      if (*first->token < *second->token || told_by_order) continue;
      if (served_before(*first, *second)) drawn_late(*first, *second, *overlap);
    }
  }

  // A foreign history has no log of the resource; a write that was answered ok was accepted.
  void written(const Event& event) {
    Event carried = event;
    const Process& process = processes_[event.process];
    if (!carried.token) carried.token = process.carried;
    accepted(carried, process.asked, context_.holds.operation().invoked_ns);
  }

  // Granted once more to its own holder: it has this token from now on. A reentrant lock may give the same one.
  void again(const Event& event) {
    const Operation& operation = context_.holds.operation();
    if (!operation.hold) return;  // `granted` has seen it
    const Token token{*event.token, operation.invoked_ns, event.time_ns, event.process, event.client, event.index};
    Process& process = processes_[event.process];
    const auto& asked = process.asked;
    auto& own = process.own;
    const bool inner = context_.header.model == "reentrant" || own == event.token;
    own = event.token;
    if (!inner && asked && asked->value >= token.value)
      regressed(event.key, *asked, token, "before the second was asked for");
    at(event.key).granted.add(token, event.time_ns);
  }

  void invoked(const Event& event) {
    Process& process = processes_[event.process];
    Key& key = at(event.key);
    if (event.op == Op::acquire) process.asked = copy(key.granted.largest_before(event.time_ns));
    if (event.op != Op::write) return;
    process.carried = event.token;
    process.asked = copy(key.accepted.largest_before(event.time_ns));
    const Hold* hold = context_.holds.operation().hold;
    const auto presented = event.token || !hold ? event.token : hold->token;
    const Token* newest = key.granted.largest();
    if (presented && newest && *presented < newest->value) ++stale_presented_;
  }

  void accepted(const Event& event, const std::optional<Token>& before, std::int64_t sent_ns) {
    if (!event.token || !(context_.header.fenced_resource || context_.header.foreign)) return;
    const Token token = token_of(event, sent_ns);
    if (before && before->value > token.value) stale_write(event.key, *before, token);
    at(event.key).accepted.add(token, event.time_ns);
  }

  std::string who(const Token& token) const { return context_.story.who(token.process, token.client); }

  Witness witness(std::uint32_t key, const Token& before, const Token& token) const {
    return {context_.names.keys.at(key),
            "",
            {before.index, token.index},
            {before.client, token.client},
            before.seen_ns,
            token.seen_ns,
            ""};
  }

  void regressed(std::uint32_t key, const Token& before, const Token& token, const char* order) {
    const FaultRecord* fault =
        context_.causes.suspected({key, {before.client, token.client}, before.sent_ns, before.seen_ns, token.seen_ns});
    findings_.add(fault ? fault->cause : "algorithm", 0, [&] {
      const Story& story = context_.story;
      Witness w = witness(key, before, token);
      w.text = fmt::format(
          "{} was granted {} at {} with token {} (#{}). {} was granted it at {} (asked for at {}) with token {} (#{}), "
          "which is not larger, although the first had been granted {}.",
          capitalized(who(before)), story.key(key), story.at(before.seen_ns), before.value, before.index,
          capitalized(who(token)), story.at(token.seen_ns), story.at(token.sent_ns), token.value, token.index, order);
      w.text += story.suspicion(fault);
      return w;
    });
  }

  // The one with the wrong token comes first: it is the one to blame.
  void drawn_late(const Hold& first, const Hold& second, const Overlap& overlap) {
    findings_.add("drawn_late", overlap.total_ns, [&] {
      const Story& story = context_.story;
      Witness w = witness(first.key, token_of(first), token_of(second));
      w.from_ns = overlap.from_ns;
      w.to_ns = overlap.to_ns;
      w.text = fmt::format(
          "{}; {}. {}; its lease was promised until {}. So {} was served first, but its token is not the smaller one: "
          "a resource that compares tokens treats it as the newer holder, and refuses {}.",
          granted_words(first), lease_words(story.at(lapsed_by(first, second.granted_ns)), true, story.doubts(first)),
          granted_words(second), story.at(second.first_valid_to_ns), story.who(first), story.who(second));
      return w;
    });
  }

  std::string granted_words(const Hold& hold) const {
    const Story& story = context_.story;
    return fmt::format("{} was granted {} at {} (asked for at {}) with token {} (#{})", story.subject(hold),
                       story.key(hold.key), story.at(hold.granted_ns), story.at(hold.sent_ns), *hold.token,
                       hold.grant_index);
  }

  static std::int64_t lapsed_by(const Hold& hold, std::int64_t time_ns) {
    std::int64_t to_ns = std::min(hold.first_valid_to_ns, time_ns);
    for (const Window& w : hold.lapsed) to_ns = w.to_ns <= time_ns ? std::max(to_ns, w.to_ns) : to_ns;
    return hold.valid.to_ns <= time_ns ? std::max(to_ns, hold.valid.to_ns) : to_ns;
  }

  void stale_write(std::uint32_t key, const Token& before, const Token& token) {
    findings_.add("stale_write", 0, [&] {
      Witness w = witness(key, before, token);
      w.text = fmt::format(
          "The resource accepted a write to {} by {} with token {} (#{}) after a write by {} with the larger token "
          "{} (#{}).",
          context_.story.key(key), who(token), token.value, token.index, who(before), before.value, before.index);
      return w;
    });
  }

  PropertyContext context_;
  Findings findings_;
  ById<Key> keys_;
  PerProcess<Process> processes_;
  std::int64_t grants_ = 0;
  std::int64_t without_token_ = 0;
  std::int64_t stale_presented_ = 0;
  std::size_t compared_ = 0;  // pairs of holds
  std::size_t passed_over_ = 0;
};

}  // namespace

extern const PropertyType property_fencing{.words = &words_fencing, .models = "fenced", .make = make_property<Fencing>};

}  // namespace holdfast
