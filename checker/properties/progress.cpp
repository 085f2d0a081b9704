// progress: a free lock can be had.
//
// Rule in holdfast's own runs: violated (`stuck`) when a key is refused to all clients for longer than its lease and a
// bound though no client believes to hold it, for any reason (free_rule.hpp explains why), `renewed_after_release` when
// the lock renews by itself and its last release did not succeed, or `always_errs` when, in
// addition, each attempt was answered by an error, or `asleep` when an acquire waits beside a key that was given back
// (the same), or `client_kept_out` when one client is refused a free key for ever while others are granted it, or
// `never_given_back` when all but one are, or `writer_kept_out` behind a reader that died (kept_out_rule.hpp), or
// `refused_free` when a single `busy` came long after the key was last used, with no fault and no other client asking
// (free_rule.hpp), or `orphan_after_cancel` when a key that was released stays refused after an acquire of it was
// cancelled (orphan_rule.hpp), or `no_return` when a call has no answer long after all faults were healed
// (no_return.hpp). If no client had an answer for so long, it is undecided. Rule in a foreign history, where every
// answer counts: a client that may have held the lock must explain each `busy` (busy_rule.hpp; plain mutexes:
// plain_rule.hpp); otherwise violated (`refused_while_free`).
//
// Where a clean-up after an unanswered acquire may explain more refusals than it can have explained, the key is
// searched through (key_orders.hpp); beyond the search's bound it is undecided.
//
// Exact: both rules move the moment from which the lock was free as late as any behaviour of a correct lock allows. Not
// decided: waiting times and fairness, and keys that no client asked for: without a client that waited across the heal
// for a key that was then granted, to it or to another (without faults: refused and later granted), it is not
// exercised. A refused client waits until it is granted; so does one that asked while another held, and an acquire that
// is open when all faults are healed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "artifact/server_errors.hpp"
#include "checker/busy_rule.hpp"
#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/free_rule.hpp"
#include "checker/kept_out_rule.hpp"
#include "checker/no_return.hpp"
#include "checker/orphan_rule.hpp"
#include "checker/plain_witness.hpp"
#include "checker/properties/progress.hpp"
#include "checker/unsettled.hpp"

namespace holdfast {
namespace {

class Progress : public Property {
 public:
  explicit Progress(const PropertyContext& context)
      : context_(context),
        is_plain_(context.header.foreign && context.header.model == "plain"),
        plain_(context.plain, [this](const PlainFault& f) { refused_while_free(f); }),
        surely_free_(context),
        stuck_(
            context, surely_free_, [this](const Stuck& s) { stuck(s); }, [this](const Stuck& s) { unreachable(s); }),
        free_(
            context, [this](const FreeRefusals& r) { refused_free(r); },
            [this](const std::string& why) { doubt(why); }),
        orphans_(
            context, [this](const Orphan& o) { orphaned(o); }, [this](const std::string& why) { doubt(why); }),
        no_return_(
            context, [this](const NoReturn& n) { never_returned(n); }, [this](const std::string& why) { doubt(why); }),
        kept_out_(context, surely_free_, [this](const KeptOut& k) { kept_out(k); }) {
    if (context.header.foreign && !is_plain_)
      context.busy->report_to([this](const Refusal& r) { refused_while_free(r); });
  }

  EventFilter events_wanted() const override {
    if (!context_.header.foreign || is_plain_) return EventFilter::all();
    return EventFilter::none().with(EventType::fail, Op::acquire).with_others().with_granted();
  }

  void granted(const Hold& hold) override {
    if (!context_.header.foreign) orphans_.granted(hold);  // before the less exact ones
    if (!context_.header.foreign) stuck_.granted(hold);
    if (!context_.header.foreign) free_.granted(hold);
    if (!context_.header.foreign) kept_out_.granted(hold);
    if (!context_.header.foreign) surely_free_.granted(hold);
    ++grants_;
    Waiter& waiter = at(hold.client);
    if (waiter.refused || waited_for_another(hold)) ++waiters_granted_;
    waiter = {};
    if (!across_heal_.empty()) waiters_across_heal_ += std::exchange(across_heal_[hold.key], 0);
  }

  void ended(const Hold& hold) override {
    if (context_.header.foreign) return;
    stuck_.ended(hold);
    free_.ended(hold);
    orphans_.ended(hold);
    if (!hold.believed()) let_go_[hold.key] = {hold.process, hold.ended_ns};
  }

  void event(const Event& event) override {
    if (is_plain_) {
      plain_.event(event);
    } else if (!context_.header.foreign) {
      unsettled_.event(event, context_.holds);
      stuck_.event(event);
      kept_out_.event(event);
      surely_free_.event(event);  // an answer's own changes do not affect the operation that it answers
      free_.event(event);
      orphans_.event(event);
      no_return_.event(event);
    }
    if (event.actor == Actor::nemesis && event.step == FaultStep::healed) healed();
    if (StuckRule::turned_away(event)) at(event.client) = {true, event.key};
  }

  bool violated() const override {
    return findings_.violated() || stuck_.stuck() || free_.violated() || orphans_.violated();
  }

  PropertyVerdict finish() override {
    if (is_plain_) plain_.finish();
    if (!context_.header.foreign) orphans_.finish();
    if (!context_.header.foreign) stuck_.finish();
    if (!context_.header.foreign) free_.finish();
    if (!context_.header.foreign) kept_out_.finish();
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"waiters_across_heal", waiters_across_heal_}, {"waiters_granted", waiters_granted_}};
    if (context_.header.cancels) {
      verdict.coverage["cancelled_acquires"] = orphans_.cancelled();
      verdict.coverage["unwanted_grants"] = orphans_.unwanted();
      if (orphans_.cancelled() == 0) not_exercised(verdict, "no waiting acquire was cancelled");
    }
    if (context_.header.foreign) {
      if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    } else if (context_.header.faults_planned) {
      if (waiters_across_heal_ == 0)
        not_exercised(verdict, "no client waited for a key across the end of a fault and was granted it afterwards");
    } else if (waiters_granted_ == 0) {
      not_exercised(verdict, "no client was refused the lock and granted it later");
    }
    return verdict;
  }

 private:
  struct Waiter {
    bool refused = false;  // since its last grant
    std::uint32_t key = 0;
  };
  Waiter& at(std::uint32_t client) { return waiters_[client]; }

  // Counts the refused clients, and those whose acquire has no answer yet.
  void healed() {
    for (const Waiter& waiter : waiters_) across_heal_[waiter.key] += waiter.refused ? 1 : 0;
    context_.holds.each_open([&](std::uint32_t, const Operation& o) {
      if (o.op == Op::acquire && !o.dead && !at(o.client).refused) ++across_heal_[o.key];
    });
  }

  // It had asked before another let go.
  bool waited_for_another(const Hold& hold) const {
    const auto last = let_go_.find(hold.key);
    return last != let_go_.end() && last->second.first != hold.process && hold.sent_ns < last->second.second;
  }

  void refused_while_free(const PlainFault& fault) {
    findings_.add("refused_while_free", 0, [&] { return plain_witness(context_, fault); });
  }

  void refused_while_free(const Refusal& refusal) {
    const std::int64_t ns = refusal.refused_ns - refusal.invoked_ns;
    findings_.add("refused_while_free", ns, [&] {
      const Story& story = context_.story;
      Witness witness{context_.names.keys.at(refusal.key),
                      "",
                      {refusal.invoke_index, refusal.index},
                      {refusal.client},
                      refusal.invoked_ns,
                      refusal.refused_ns,
                      ""};
      const std::string since = refusal.free_since_ns < 0 ? "it had never been held"
                                                          : "it was last held until " + story.at(refusal.free_since_ns);
      witness.text = fmt::format(
          "{} asked for {} at {} and was refused as busy at {}, although the lock was free all that time: {}, and the "
          "next holder had not asked for it yet.",
          story.subject(refusal.process, refusal.client), story.key(refusal.key), story.at(refusal.invoked_ns),
          story.at(refusal.refused_ns, refusal.index), since);
      return witness;
    });
  }

  void refused_free(const FreeRefusals& refusals) {
    const Refusal& first = refusals.first;
    findings_.add("refused_free", first.refused_ns - first.invoked_ns,
                  [&] { return free_witness(context_, refusals); });
  }

  void orphaned(const Orphan& orphan) {
    free_.drop(orphan.key);
    orphaned_until_ns_[orphan.key] = orphan.last_ns;
    const std::int64_t ns = orphan.last_ns - orphan.free_since_ns;
    findings_.add("orphan_after_cancel", ns, [&] { return orphan_witness(context_, orphan); });
  }

  void never_returned(const NoReturn& found) {
    const std::int64_t ns = found.until_ns - found.since_ns;
    findings_.add("no_return", ns, [&] { return no_return_witness(context_, found); });
  }

  // The report of an orphan covers it.
  bool told_as_orphan(const Stuck& stuck) const {
    const auto told = orphaned_until_ns_.find(stuck.key);
    return told != orphaned_until_ns_.end() && told->second >= stuck.free_since_ns;
  }

  void stuck(const Stuck& stuck) {
    if (told_as_orphan(stuck)) return;
    free_.drop(stuck.key);
    if (stuck.waited) return kept_waiting(stuck);
    const std::int64_t ns = stuck.last_ns - stuck.free_since_ns;
    findings_.add(kind_of(stuck), ns, [&] {
      const Story& story = context_.story;
      Witness witness{
          context_.names.keys.at(stuck.key), "", stuck.indices, stuck.clients, stuck.free_since_ns, stuck.last_ns, ""};
      witness.text = fmt::format(
          "From {} on {}, but every client was refused it ({} times{}, most recently client {} at {}, #{}): for {}, "
          "where a correct lock may take {}.",
          story.at(stuck.free_since_ns), free_words(context_, stuck), stuck.refusals, errors(stuck),
          stuck.clients.back(), story.at(stuck.last_ns), stuck.indices.back(), story.lasting(ns),
          story.lasting(stuck.allowed_ns));
      witness.text += unsettled_.last_release(stuck.key, stuck.last_ns, story);
      return witness;
    });
  }

  // A lease that the lock renews by itself outlives a release only if the client that sent it goes on renewing: a
  // killed one would have let it expire.
  const char* kind_of(const Stuck& stuck) const {
    if (stuck.always_errs()) return "always_errs";
    const auto releaser = unsettled_.last_releaser(stuck.key, stuck.last_ns);
    const bool renews = context_.header.renews_unseen && context_.header.lease_ns > 0 && releaser;
    return renews && !was_killed(*releaser) ? "renewed_after_release" : "stuck";
  }

  bool was_killed(std::uint32_t client) const {
    const auto& all = context_.faults.all();
    return std::any_of(all.begin(), all.end(),
                       [client](const FaultRecord& fault) { return fault.name == "kill" && fault.strikes(client); });
  }

  void kept_out(const KeptOut& found) {
    findings_.add(kind_of(found), found.to_ns - found.from_ns, [&] { return kept_out_witness(context_, found); });
  }

  static const char* kind_of(const KeptOut& found) {
    if (found.behind_reader) return "writer_kept_out";
    return found.to_one ? "never_given_back" : "client_kept_out";
  }

  void kept_waiting(const Stuck& stuck) {
    const std::int64_t ns = stuck.last_ns - stuck.free_since_ns;
    findings_.add(stuck.asleep ? "asleep" : "stuck", ns, [&] { return waiting_witness(context_, stuck); });
  }

  static std::string errors(const Stuck& stuck) {
    if (stuck.errors == 0) return "";
    const std::string error = stuck.failed.name.empty() ? ""
                                                        : fmt::format(": {} failed with {}", stuck.failed.name,
                                                                      server_error_text(stuck.failed.error));
    return fmt::format(", {} of them with an error that does not mean \"busy\"{}", stuck.errors, error);
  }

  void unreachable(const Stuck& stuck) {
    const Story& story = context_.story;
    doubt(fmt::format(
        "from {} until {} no client was granted {}, and attempts had no answer or waited for a processor ({} failed)",
        story.at(stuck.free_since_ns), story.at(stuck.last_ns), story.key(stuck.key), stuck.refusals));
  }

  void doubt(const std::string& why) {
    findings_.undecided([&] { return why; });
  }

  PropertyContext context_;
  bool is_plain_;
  PlainBusy plain_;
  SurelyFree surely_free_;
  StuckRule stuck_;
  FreeRule free_;
  OrphanRule orphans_;
  NoReturnRule no_return_;
  KeptOutRule kept_out_;
  std::map<std::uint32_t, std::int64_t> orphaned_until_ns_;  // by key
  Unsettled unsettled_;
  Findings findings_;
  ById<Waiter> waiters_;                               // by client
  std::map<std::uint32_t, std::int64_t> across_heal_;  // by key: clients that waited when the faults were healed
  // by key: the last holder, and the end of its hold
  std::map<std::uint32_t, std::pair<std::uint32_t, std::int64_t>> let_go_;
  std::int64_t grants_ = 0;
  std::int64_t waiters_granted_ = 0;
  std::int64_t waiters_across_heal_ = 0;
};

}  // namespace

extern const PropertyType property_progress{
    .words = &words_progress,
    .models = "owner plain reentrant fenced lease",
    .make = make_property<Progress>,
    .of_piece = [](PieceShows shows) { return shows == PieceShows::refusal ? "refused_while_free" : nullptr; }};

}  // namespace holdfast
