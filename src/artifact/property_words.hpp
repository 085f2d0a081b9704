// The words of properties and of the ways in which they are violated, as verdicts, reports and pages have them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/entry.hpp"

namespace holdfast {

// The kinds of violations: in which way a property was violated, in the words that verdicts, reports and pages use.
//
//   find_kind("stale_write")->meaning   -> "the resource accepted a token that is smaller than one it had seen"
//   find_kind("partition")->weight      -> KindWeight::fault: that fault is suspected
//
// A kind of one property stands in that property's file (checker/properties/NAME.hpp). Here is the struct, what
// several properties share, and the causes that faults give: what people are told of those, since what gives them is
// each fault's affair.

// What explains it. The least comes first where a violation shows several: it names the verdict.
enum class KindWeight : std::uint8_t { nothing, fault, late_notice, late_answer, lapse };

struct KindWords {
  const char* name = "";
  const char* meaning = "";  // empty, of a cause: the faults that give it say enough
  // What may be behind it, in whole sentences; empty: what its property says.
  const char* advice = "";
  const char* advice_fenced = "";  // where it differs for a lock whose grants carry tokens
  const char* violated = "";       // as PropertyWords::violated, where it differs from the property's
  KindWeight weight = KindWeight::nothing;
  bool without_suspect = false;  // what a violation is called for which no fault is suspected
  bool leads_to_more = false;    // holders that overlap, or data that is damaged, after it need no other cause
  bool names_flaw = false;       // its advice is what the lock does wrong, and no guess
  // Wider kinds of which it is one: who expects one of them expects it, too.
  std::array<const char*, 3> one_of{};
  bool answer_only = false;  // an answer was wrong, and nothing else: it cost no holder its lock, and no data
};

namespace kinds {

inline constexpr KindWords kAlgorithm{
    .name = "algorithm",
    .meaning = "no fault on the server or on a client involved explains it: the lock's own statements cause it",
    .advice =
        "no fault explains it, so look at the lock's own statements: a check and a change that are not one atomic "
        "step, a release or renewal that does not check who owns the lock, or one that had no answer and took effect "
        "late.",
    .without_suspect = true};

inline constexpr KindWords kOverrun{
    .name = "overrun",
    .meaning = "the earlier holder kept acting after its lease had expired",
    .advice =
        "the earlier holder went on after its lease had expired, and nothing stopped it. A lease alone cannot. Have "
        "the client check its deadline before it acts, and have the resource refuse older fencing tokens (compare "
        "fenced_lease).",
    .advice_fenced =
        "the earlier holder went on after its lease had expired, which a lease alone cannot prevent. The lock has "
        "fencing tokens: make sure that every resource refuses older ones.",
    .weight = KindWeight::lapse};

inline constexpr KindWords kLossUnnoticed{
    .name = "loss_unnoticed",
    .meaning =
        "the earlier holder went on after its lease had expired, although its program was running and its lock can "
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

// Of a property's kinds and of the causes. Null: nothing is known of it, as of the cause of a fault of somebody's own.
const KindWords* find_kind(const std::string& name);

// Of the causes alone: suspected, until controls have confirmed them.
const KindWords* find_cause(const std::string& name);

const std::vector<KindWords>& cause_words();

// The words of a property: what it is called, what it concerns, how severe it is, its kinds, and what people are told
// of it. A property is two files, checker/properties/NAME.hpp with these and NAME.cpp with its rule; nobody else names
// it.
//
//   for (const auto& [name, words] : property_words()) ...
//   if (const PropertyWords* words = find_entry(property_words(), verdict.property)) ...   // null: of another version
//
// Whoever treats some properties otherwise than others asks what they concern, not what they are called.
enum class Concerns : std::uint8_t {
  holders,   // that they exclude each other
  tokens,    // that a holder of the past can be told
  data,      // the protected resource itself
  owners,    // that what is theirs stays theirs
  waiters,   // that they come to their turn
  histories  // the order of operations in a history of anybody's
};

// Which locks do so. What nobody promises is asked of foreign histories only, and not spoken of where nobody asks for
// it.
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
  int rank = kLastRank;            // the most severe is 1; people meet them in this order
  std::vector<KindWords> kinds{};  // that its violations can have, besides the causes of faults
  // What a violation is, for a headline: {key}; {who} is "clients 1 and 2", {both} "both" or "all", {by} "client 1, "
  // or nothing, {actor} the first of two clients and {owner} the second ("client 1's"), {span} when, {length} how long.
  // Empty: that it is violated.
  const char* violated = "";
  const char* advice = "";         // where to look for the reason, where the kind has no advice of its own
  const char* advice_fenced = "";  // where it differs for a lock whose grants carry tokens
  const char* invariants = "";     // of explore, which it is violated by; separated by blanks
  // The kinds, separated by commas, that a sound lock may show whose holder outlives its lease.
  const char* when_outlived = "";
  const char* was = "-";  // what it was called before, for whoever still calls it so
};

const std::vector<Entry<PropertyWords>>& property_words();

// What a lock says of itself that its promises follow from, where it does not name them.
struct PromiseFacts {
  bool fenced = false;
  bool has_owners = false;    // somebody renews or releases
  bool asked = true;          // else nobody knows when a lease of its began
  bool tells = false;         // it promises to tell a holder that the lock is lost, within a time
  bool tells_leader = false;  // an election, whose observers are told who leads
};

// What a lock of such facts promises.
std::vector<std::string> properties_promised_by(const PromiseFacts& facts);

// Of those that a lock may promise, and a scenario expect: in the order of the alphabet.
std::vector<std::string> promisable_properties();

// What it concerns, of one that is known.
bool concerns(const std::string& property, Concerns what);

// Where it stands among the others; of one that is not known, behind them all.
int rank_of(const std::string& property);

}  // namespace holdfast
