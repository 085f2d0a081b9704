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
    .meaning =
        "no fault that struck somebody who had a part in it, or the server, explains it: the lock's statements "
        "do it by themselves",
    .advice =
        "no fault that stood between the two grants explains it, so look at the lock's own statements: a "
        "check and a change that are not one atomic step, a release or a renewal that does not test whose "
        "lock it is, or one whose answer never came and that took effect late.",
    .without_suspect = true};

inline constexpr KindWords kOverrun{
    .name = "overrun",
    .meaning = "the earlier holder's lease had run out, and it acted on",
    .advice =
        "the earlier holder went on after its lease had run out, and nothing stopped it. No lease alone can. "
        "Let the client look at its deadline before it acts, and let the resource refuse older fencing "
        "tokens (compare fenced_lease).",
    .advice_fenced =
        "the earlier holder went on after its lease had run out, as no lease alone prevents. The lock has "
        "fencing tokens: what counts is that every resource refuses the older ones.",
    .weight = KindWeight::lapse};

inline constexpr KindWords kLossUnnoticed{
    .name = "loss_unnoticed",
    .meaning =
        "the earlier holder's lease had run out and it acted on, though its program ran and its lock can tell a loss",
    .advice =
        "the earlier holder's program ran when its lease was over and another had the lock, and the lock has a way to "
        "tell a holder so; it told late, or never. Look at how often it looks at its lease or its session, whether it "
        "counts the lease from when the request was sent and by a clock of its own, and how long a request that hangs "
        "may keep it from that.",
    .weight = KindWeight::late_notice};

inline constexpr KindWords kLateGrant{
    .name = "late_grant",
    .meaning = "a grant was answered after the lease that it promises had run out",
    .advice =
        "the grant's answer came after the lease it promised had run out. Count the lease from when the "
        "request was sent, and treat a grant that comes too late as none.",
    .weight = KindWeight::late_answer};

inline constexpr KindWords kWaitedOut{
    .name = "waited_out",
    .meaning = "a waiter was granted after its own lease, counted from its request, had run out while it waited",
    .advice =
        "the lease of a waiter runs while it waits, and the lock grants it all the same when its turn comes. Begin the "
        "lease with the grant, or look before the answer whether the waiter's own entry is still there, and refuse it "
        "if it is not.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"overrun", "late_grant"}};

inline constexpr KindWords kBelievedUnanswered{
    .name = "believed_unanswered",
    .meaning = "an acquire was answered as granted though its request or reply was lost, or all writes were refused",
    .advice =
        "an acquire that had no answer from the server was taken for a grant: an error or a time-out is swallowed. "
        "Only a reply that says so is a grant; after an error the owner may release, and must ask again.",
    .names_flaw = true,
    .one_of = {"algorithm", "reply_lost", "request_lost"}};

inline constexpr KindWords kLockedNothing{
    .name = "locked_nothing",
    .meaning = "the acquire that let the second holder in found and changed no row",
    .advice =
        "a grant was taken from statements that found no row and changed none, and so locked nothing: SELECT ... FOR "
        "UPDATE of a row that does not exist keeps nobody out. Look at how many rows came back, and insert the row "
        "before it is locked.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"algorithm"}};

inline constexpr KindWords kLostLock{
    .name = "lost_lock",
    .meaning = "a holder was told inside its lease that the lock is not its own",
    .advice =
        "a holder inside its lease was told that the lock is not its own. Either somebody had taken it from "
        "it, or the lock takes something else for a loss, such as an update that changed no row because it "
        "changed nothing.",
    .without_suspect = true};

inline constexpr KindWords kReleaseWithoutGrant{.name = "release_without_grant",
                                                .meaning = "a release succeeded of what had not been granted"};

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
  elections_that_tell
};

inline constexpr int kLastRank = 100;

struct PropertyWords {
  const char* summary = "";  // one line
  Concerns concerns = Concerns::histories;
  PromisedBy promised_by = PromisedBy::nobody;
  int rank = kLastRank;            // display order: 1 is the most severe
  std::vector<KindWords> kinds{};  // kinds its violations can have, besides the causes of faults
  // Headline of a violation, with {key}; {who} is "clients 1 and 2", {both} "both" or "all", {by} "client 1, " or
  // empty, {span} the time, {length} the duration. Empty: a standard text.
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
