// ownership: no client frees or renews another's lock, and no client loses a lock inside its lease.
//
// Rule, violated when
// (a) a release or renewal of P took effect, while another process Q, granted after P, held the key from before the
//     call until after the answer, believing and inside its validity: `foreign_release`, `foreign_renew`; the call and
//     the answer are those of its statements where they show when it acted (hold.hpp), else the operation's;
// (b) a holder gets a definite not_held inside its own validity: it lost the lock. Blamed on the foreign operation
//     that fits (not one of a client that was granted the lock while the holder's release was open), else (a
//     suspicion: causes.hpp) on a fault that struck a party since the grant was asked for, else
//     `lost_lock`. If a fault of the server fits, an operation of another valid holder of the key is not blamed: the
//     server had lost the lock when it granted it again;
// (c) a holder's release gets that answer inside its own validity though it took effect (wrong_answers.hpp): nothing
// was
//     lost, only the answer was wrong: `wrong_answer`.
// In a foreign history the answers to owners are judged strictly as well (owner_rule.hpp).
//
// A refusal is not `lost_lock` if the client has left a renewal without an answer since its grant: the renewal may have
// changed the value that names the client. The exclusions judge whether another client was let in.
//
// Took effect: it answered ok, and its statements, where recorded, changed something. An answer of ok that did nothing
// is harmless. Exact: the moment of P's operation lies inside its window, and in all of it the lock was Q's. Not
// decided: which of P's statements did it, and what a lock owes an owner whose lease ran out unreplaced.
#include <fmt/format.h>

#include <span>

#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/hold.hpp"
#include "checker/owner_rule.hpp"
#include "checker/properties/ownership.hpp"
#include "checker/wrong_answers.hpp"

namespace holdfast {
namespace {

class Ownership : public Property {
 public:
  explicit Ownership(const PropertyContext& context)
      : context_(context),
        owner_(context, findings_),
        answers_(
            context, [this](const ToldLoss& told) { lost_lock(told, false); },
            [this](const ToldLoss& told, const SeenGrant& next) { wrong_answer(told, next); }) {}

  void granted(const Hold& hold) override {
    ++grants_;
    owner_.granted(hold);
    if (!context_.header.foreign) answers_.granted(hold);
  }

  void ended(const Hold& hold) override {
    if (!context_.header.foreign) return;
    before_[hold.process] = {{hold.invoke_index, hold.grant_index, hold.end_index}, 3};
    if (without_lock(hold.end)) owner_.given_up(hold);
  }

  // A release of another that was answered while this one let go, in vain.
  void resumed(const Hold& hold, const std::vector<Hold>&) override {
    const Suspect& suspect = suspects_[hold.key];
    const bool within =
        suspect.any && suspect.claims && suspect.invoked_ns > hold.granted_ns && suspect.answered_ns >= hold.resumed_ns;
    const bool its_own = hold.valid_throughout({suspect.invoked_ns, suspect.answered_ns});
    if (!within || !its_own || suspect.rightful || suspect.process == hold.process || unknown_lease(hold)) return;
    findings_.add(foreign_kind(suspect.op), 0, [&] { return resumed_witness(context_, hold, suspect); });
  }

  EventFilter events_wanted() const override {
    const EventFilter answers = EventFilter::none().with(EventType::ok, Op::acquire).with(EventType::info, Op::acquire);
    const EventFilter all = answers.with(Op::renew).with(Op::release).with_granted().with_ended();
    return context_.header.foreign ? all : all.with(EventType::fail, Op::acquire);
  }

  void event(const Event& event) override {
    const Operation& operation = context_.holds.operation();
    if (event.op == Op::acquire) {
      if (context_.header.foreign) acquired(event, operation);
      if (event.reason == Reason::busy && !context_.header.foreign) answers_.refused(event);
    } else if (event.type != EventType::invoke) {
      completed(event, operation);
    } else {
      if (event.op == Op::release) ++releases_;
      if (operation.hold && operation.hold->valid.to_ns <= event.time_ns) ++after_lapse_;
    }
  }

  bool violated() const override { return findings_.violated() || answers_.pending(); }

  PropertyVerdict finish() override {
    answers_.finish();
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"grants", grants_}, {"releases", releases_}, {"after_lapse", after_lapse_}};
    if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    if (context_.header.foreign) return verdict;
    const bool lapses = context_.header.lease_ns > 0;
    if (lapses && after_lapse_ == 0) not_exercised(verdict, "no release or renewal came after a lease had expired");
    if (!lapses && releases_ == 0) not_exercised(verdict, "no client released the lock");
    return verdict;
  }

 private:
  void acquired(const Event& event, const Operation& operation) {
    owner_.acquired(event, operation);
    if (event.type == EventType::info) before_[event.process] = {{operation.index, event.index}, 2};
  }

  // By itself, so that the calls, which are as many, save no registers for its sake.
  [[gnu::noinline]] void completed(const Event& event, const Operation& operation) {
    // In a foreign history a release or renewal of a lock that was never granted is impossible by itself
    // (owner_rule.hpp).
    const bool foreign_history = context_.header.foreign;
    const bool claims = !foreign_history || operation.hold != nullptr || owner_.may_release(event.process, event.key);
    if (foreign_history) owner_.completed(event, operation);
    const bool lost = event.type == EventType::fail && event.reason == Reason::not_held;
    // A watchdog's renewal may cross the release: a client that has given the lock back cannot lose it.
    const bool held = operation.hold && (!event.background || operation.hold->believed());
    if (lost && held && unknown_lease(*operation.hold)) {
      findings_.undecided([] { return "the history has no times, so it is unknown whether a lease had expired"; });
    } else if (lost && held && operation.hold->valid_at(event.time_ns) && !left_a_renewal(*operation.hold)) {
      told_loss({event, operation, *operation.hold, nullptr});
    }
    if (event.op == Op::renew && event.type == EventType::info) unanswered_ns_[event.process] = event.time_ns;
    const bool effective = took_effect(event);
    if (effective && claims) foreign(event, operation);
    if (!effective && !changed_something(event)) return;
    const bool rightful = operation.hold && operation.hold->valid_at(event.time_ns);
    remember(event, operation, rightful, claims);
  }

  // Field by field where it lies: it is written for each release, and read for few.
  void remember(const Event& event, const Operation& operation, bool rightful, bool claims) {
    Suspect& suspect = suspects_[event.key];
    suspect.any = true;
    suspect.op = event.op;
    suspect.process = event.process;
    suspect.client = event.client;
    suspect.invoked_ns = operation.invoked_ns;
    suspect.answered_ns = event.time_ns;
    suspect.granted_ns = operation.hold == nullptr ? -1 : operation.hold->granted_ns;
    suspect.rightful = rightful;
    suspect.claims = claims;
    suspect.shared = operation.hold == nullptr || operation.hold->shared;
    suspect.invoke_index = operation.index;
    suspect.index = event.index;
    if (context_.header.foreign) suspect.refers_to = before_[event.process];
  }

  bool left_a_renewal(const Hold& hold) const {
    const std::int64_t* const unanswered_ns = unanswered_ns_.find(hold.process);
    return !context_.header.foreign && unanswered_ns != nullptr && *unanswered_ns > hold.granted_ns;
  }

  static bool of_server(const FaultRecord* fault) { return fault != nullptr && fault->clients.empty(); }

  // A lease says nothing where the history has no times.
  bool unknown_lease(const Hold& hold) const { return hold.lease_ns > 0 && !context_.story.timed(); }

  void foreign(const Event& event, const Operation& operation) {
    const auto& believers = context_.holds.believers(event.key);
    if (!believers.empty()) foreign_to(believers, event, operation);
  }

  void foreign_to(std::span<Hold* const> believers, const Event& event, const Operation& operation) {
    const Hold* own = operation.hold;
    const Window acted = context_.story.timed() ? acted_within(event, operation.invoked_ns)
                                                : Window{operation.invoked_ns, event.time_ns};
    for (const Hold* holder : believers) {
      const bool throughout = holder->granted_ns < acted.from_ns && holder->valid_throughout(acted);
      const bool older = !own || own->granted_ns < holder->granted_ns;
      const bool readers = holder->shared && (!own || own->shared);  // what a reader gives back is its own part
      if (readers || holder->process == event.process || !throughout || !older || unknown_lease(*holder)) continue;
      findings_.add(foreign_kind(event.op), 0, [&] {
        return foreign_witness(context_, event, operation, *holder, acted,
                               operation.hold ? Before{} : before_[event.process]);
      });
      return;
    }
  }

  void told_loss(ToldLoss told) {
    const Hold& own = told.hold;
    const Suspect& suspect = suspects_[own.key];
    told.suspected =
        context_.causes.suspected({own.key, {own.client}, own.sent_ns, own.granted_ns, told.event.time_ns});
    const bool readers = own.shared && suspect.shared;
    const bool followed = told.event.op == Op::release && suspect.followed(told.operation);
    const bool blamed =
        !readers && !followed && suspect.may_have_taken(own) && !(suspect.rightful && of_server(told.suspected));
    const bool kept = !blamed && !context_.header.foreign && answers_.takes(told);
    if (!kept) lost_lock(told, blamed);
  }

  void wrong_answer(const ToldLoss& told, const SeenGrant& next) {
    findings_.add("wrong_answer", 0, [&] { return wrong_answer_witness(context_, told, next); });
  }

  // `blamed`: on the last operation that may have taken it.
  void lost_lock(const ToldLoss& told, bool blamed) {
    const Event& event = told.event;
    const Hold& own = told.hold;
    const Suspect& suspect = suspects_[event.key];
    const FaultRecord* fault = told.suspected;
    const std::string kind = blamed ? foreign_kind(suspect.op) : fault ? fault->cause : "lost_lock";
    findings_.add(kind, 0, [&] {
      const Story& story = context_.story;
      Witness witness = operation_witness(context_, event, told.operation);
      add_hold(witness, own);
      witness.text = fmt::format("{} Its {} was answered at {} as if it did not hold the lock{}.", story.held(own),
                                 noun_of(event.op), story.at(event.time_ns, event.index),
                                 own.valid.to_ns == kNever ? "" : ", within its lease");
      if (blamed) {
        // The client that acted comes first, as in every foreign release or renewal.
        if (!context_.header.foreign) witness.clients.insert(witness.clients.begin(), suspect.client);
        // In a foreign history such an answer to a holder is impossible, whichever client caused it.
        if (!context_.header.foreign)
          witness.indices.insert(witness.indices.end(), {suspect.invoke_index, suspect.index});
        witness.text += fmt::format(" Before that, a {} by {} had taken effect (#{}).", noun_of(suspect.op),
                                    story.who(suspect.process, suspect.client), suspect.index);
      } else {
        witness.text += story.suspicion(fault);
      }
      return witness;
    });
  }

  PropertyContext context_;
  Findings findings_;
  OwnerRule owner_;
  WrongAnswers answers_;
  ById<Suspect> suspects_;            // by key
  ById<Before> before_;               // by process; foreign histories
  ById<std::int64_t> unanswered_ns_;  // by process: its last renewal without an answer
  std::int64_t grants_ = 0;
  std::int64_t releases_ = 0;
  std::int64_t after_lapse_ = 0;
};

const char* broken_by(PieceShows shows) {
  if (shows == PieceShows::loss) return "lost_lock";
  if (shows == PieceShows::second_grant) return "granted_twice";
  return shows == PieceShows::nothing_to_give ? "release_without_grant" : nullptr;
}

}  // namespace

extern const PropertyType property_ownership{.words = &words_ownership,
                                             .models = "owner reentrant fenced lease",
                                             .make = make_property<Ownership>,
                                             .of_piece = broken_by};

}  // namespace holdfast
