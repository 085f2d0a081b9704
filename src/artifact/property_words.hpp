// Texts for properties and kinds of violation, as used in verdicts, reports and pages.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/entry.hpp"

namespace holdfast {

// Kinds of violation: the ways in which a property can be violated, with their texts.
//
//   find_kind("stale_write")->meaning   -> "the resource accepted a token that is smaller than one it had seen"
//   find_kind("partition")->weight      -> KindWeight::fault: that fault is suspected
//
// A kind of one property is declared in that property's file (checker/properties/NAME.hpp). Shared kinds and the causes
// given by faults are declared here; what a cause means is explained by each fault.

// Explanation of the violation. If it shows several kinds, the lowest comes first and names the verdict.
enum class KindWeight : std::uint8_t { nothing, fault, late_notice, late_answer, lapse };

struct KindWords {
  const char* name = "";
  const char* meaning = "";  // empty for a cause: the faults that give it explain it
  // Possible reasons, in whole sentences; empty: the property's advice.
  const char* advice = "";
  const char* advice_fenced = "";  // if it differs for a lock whose grants carry tokens
  const char* violated = "";       // as PropertyWords::violated, if it differs from the property's
  KindWeight weight = KindWeight::nothing;
  bool without_suspect = false;  // name of a violation without a suspected fault
  bool leads_to_more = false;    // explains later overlaps of holders, or damaged data
  bool names_flaw = false;       // its advice states what the lock does wrong, not a guess
  // More general kinds that include it: expecting one of them also expects this kind.
  std::array<const char*, 3> one_of{};
  bool answer_only = false;  // only an answer was wrong: no holder lost its lock, and no data was damaged
};

namespace kinds {

inline constexpr KindWords kAlgorithm{
    .name = "algorithm",
    .meaning = "no fault on the server or on a client involved explains it: the lock's own statements cause it",
    .advice =
        "no fault explains it, so look at the lock's own statements. Usual causes: a check and a change that are not "
        "one atomic step, a release or renewal that does not check who owns the lock, or one that had no answer and "
        "took "
        "effect late.",
    .without_suspect = true};

inline constexpr KindWords kOverrun{
    .name = "overrun",
    .meaning = "the earlier holder kept acting after its lease had expired",
    .advice =
        "the earlier holder kept acting after its lease had expired, and nothing stopped it. A lease alone cannot "
        "stop it. Have the client check its deadline before it acts, and have the resource refuse older fencing tokens "
        "(compare fenced_lease).",
    .advice_fenced =
        "the earlier holder kept acting after its lease had expired, which a lease alone cannot prevent. The lock has "
        "fencing tokens: make sure that every resource refuses older ones.",
    .weight = KindWeight::lapse};

inline constexpr KindWords kLossUnnoticed{
    .name = "loss_unnoticed",
    .meaning =
        "the earlier holder kept acting after its lease had expired, although its program was running and its lock can "
        "report a loss",
    .advice =
        "the earlier holder's program was running when its lease expired and another client got the lock. The lock can "
        "report a loss to its holder, but did so late or never. Check how often it checks its lease or session, "
        "whether it counts the lease from when the request was sent and by its own clock, and how long a hanging "
        "request can block these checks.",
    .weight = KindWeight::late_notice};

inline constexpr KindWords kLateGrant{
    .name = "late_grant",
    .meaning = "a grant arrived after its own lease had expired",
    .advice =
        "the grant arrived after its own lease had expired. Count the lease from when the request was sent, and treat "
        "a grant that arrives too late as a refusal.",
    .weight = KindWeight::late_answer};

inline constexpr KindWords kWaitedOut{
    .name = "waited_out",
    .meaning =
        "a waiter was granted the lock although its lease, counted from its request, had expired while it waited",
    .advice =
        "a waiter's lease runs while it waits, and the lock still grants it when its turn comes. Start the lease at "
        "the grant, or check before answering that the waiter's entry still exists, and refuse it if not.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"overrun", "late_grant"}};

inline constexpr KindWords kBelievedUnanswered{
    .name = "believed_unanswered",
    .meaning =
        "an acquire was reported as granted although its request or reply was lost, or the server refused all writes",
    .advice =
        "an acquire without an answer from the server was taken for a grant: an error or a timeout is swallowed. Only "
        "a reply that says so is a grant. After an error the client must not assume that it holds the lock: it may "
        "release it, and must ask again.",
    .names_flaw = true,
    .one_of = {"algorithm", "reply_lost", "request_lost"}};

inline constexpr KindWords kLockedNothing{
    .name = "locked_nothing",
    .meaning = "the acquire of the second holder found and changed no row",
    .advice =
        "the statements of a grant found no row and changed none, and so locked nothing: SELECT ... FOR UPDATE of a "
        "missing row keeps no client out. Check how many rows came back, and insert the row before locking it.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"algorithm"}};

inline constexpr KindWords kLostLock{
    .name = "lost_lock",
    .meaning = "a holder within its lease got the answer that it does not hold the lock",
    .advice =
        "a holder within its lease got the answer that it does not hold the lock. Either another client took the lock, "
        "or the lock mistakes something else for a loss, such as an update that changed no row because the values were "
        "the same.",
    .without_suspect = true};

inline constexpr KindWords kReleaseWithoutGrant{.name = "release_without_grant",
                                                .meaning = "a release succeeded without a grant",
                                                .violated = "a client released \"{key}\" without a grant ({by}{span})"};

}  // namespace kinds

// Finds a kind of a property, or a cause. Null: unknown, for example the cause of a user's own fault.
const KindWords* find_kind(const std::string& name);

// Finds a cause only: suspected until controls confirm it.
const KindWords* find_cause(const std::string& name);

const std::vector<KindWords>& cause_words();

// Texts of a property: name, concern, severity, kinds and explanations. A property is two files,
// checker/properties/NAME.hpp with these texts and NAME.cpp with its rule; no other file names it.
//
//   for (const auto& [name, words] : property_words()) ...
//   if (const PropertyWords* words = find_entry(property_words(), verdict.property)) ...   // null: another version's
//
// Code that treats properties differently tests what they concern, not their names.
enum class Concerns : std::uint8_t {
  holders,   // mutual exclusion of holders
  tokens,    // tokens by which an outdated holder is detected
  data,      // the protected resource itself
  owners,    // ownership: only the owner renews and releases
  waiters,   // waiters get their turn
  author,    // assertions of the lock's author
  histories  // the order of operations in any history
};

// Which locks make the promise. A property that no lock promises is checked in foreign histories only, and is mentioned
// only if requested.
enum class PromisedBy : std::uint8_t {
  nobody,
  every_lock,
  fenced_locks,
  locks_with_owners,
  locks_that_tell,
  locks_that_are_asked,
  elections_that_tell,
  locks_that_assert
};

inline constexpr int kLastRank = 100;

struct PropertyWords {
  const char* summary = "";  // one line
  Concerns concerns = Concerns::histories;
  PromisedBy promised_by = PromisedBy::nobody;
  int rank = kLastRank;            // the most severe is 1; people meet them in this order
  std::vector<KindWords> kinds{};  // that its violations can have, besides the causes of faults
  // What a violation is, for a headline: {key}; {who} is "clients 1 and 2", {both} "both" or "all", {by} "client 1, "
  // or nothing, {actor} the first of two clients and {owner} the second ("client 1's"), {span} when, {length} how long.
  // Empty: that it is violated.
  const char* violated = "";
  const char* advice = "";         // where to look for the reason, for kinds without advice
  const char* advice_fenced = "";  // if it differs for a lock whose grants carry tokens
  const char* invariants = "";     // names of explore's invariants for it, separated by blanks
  // Kinds, separated by commas, that a correct lock may show if a holder outlives its lease.
  const char* when_outlived = "";
  const char* was = "-";  // former name, still accepted
};

const std::vector<Entry<PropertyWords>>& property_words();

// Facts about a lock from which its promises follow, if it does not name them.
struct PromiseFacts {
  bool fenced = false;
  bool has_owners = false;    // has renewals or releases
  bool asked = true;          // false: the start of its leases is unknown
  bool tells = false;         // promises to report a lost lock to its holder within a time
  bool tells_leader = false;  // an election with observers that report the leader
  bool asserts = false;       // its program can report assertions of its author
};

// Returns the properties promised by a lock with these facts.
std::vector<std::string> properties_promised_by(const PromiseFacts& facts);

// Returns the properties that a lock may promise and a scenario may expect, in alphabetical order.
std::vector<std::string> promisable_properties();

// Returns true if the property is known and concerns this.
bool concerns(const std::string& property, Concerns what);

// Returns the property's position in the display order; unknown ones come last.
int rank_of(const std::string& property);

}  // namespace holdfast
