#include "reports/load_flaws.hpp"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

struct LoadFlaw {
  const char* load;
  const char* flaw;
};

constexpr const char* kIdle = "idle_jobs";
constexpr const char* kKeys =
    "the lock takes keys for one that differ in case, trailing blanks, length or Unicode form. Look at the collation "
    "and "
    "the length of the key's column, and at how the key is made into a name.";
constexpr const char* kIsolation =
    "the lock relies on the isolation level of its session: under another, a read sees what it should not, or no "
    "longer "
    "blocks. Set the level in the transaction, or decide in the statement that changes the row.";
constexpr const char* kSeveralKeys =
    "the lock mixes up its keys where a client uses several: look at what is kept once a client or connection and not "
    "once a key.";

constexpr std::array<LoadFlaw, 16> kAll{{
    {"keys_alike", kKeys},
    {"keys_apart", kKeys},
    {"owners_alike",
     "the lock takes owners for one that differ in case, trailing blanks, length or Unicode form. Look at the "
     "collation "
     "and the length of the owner's column."},
    {"zones",
     "the lock's times depend on the session's time zone, as NOW() and CURRENT_TIMESTAMP do. Use UTC_TIMESTAMP(), or a "
     "type that keeps the zone."},
    {"own_leases",
     "another client's lease decides when a holder's lease is over. Store the end of the lease when it is granted, and "
     "compare with that."},
    {kIdle,
     "the lock lives in a session, and its server ends sessions that send nothing (wait_timeout, "
     "idle_in_transaction_session_timeout, timeout, or a pooler's own limit): no fault is needed, a long job is "
     "enough. "
     "Send something in time, raise the limit for this session, and look before each write whether it still lives."},
    {"long_waits",
     "the lease of a waiter runs while it waits. Begin it with the grant, or look before the answer whether the "
     "waiter's own entry is still there."},
    {"fraction",
     "a lease with a fraction of a second is cut short: look at the precision of the column, and at whole seconds in "
     "divisions."},
    {"read_committed", kIsolation},
    {"isolation", kIsolation},
    {"several_keys", kSeveralKeys},
    {"many_keys", kSeveralKeys},
    {"keys_at_once", kSeveralKeys},
    {"threads",
     "threads of one program disturb each other: look at what the lock object keeps for the whole program, such as its "
     "owner."},
    {"shared_address", "the lock takes an address for an identity, and several clients have the same."},
    {"found_rows",
     "the lock counts changed rows, and this driver counts the rows that matched. Let the statement tell a change by "
     "another value, or read the row."},
}};

std::string flaw_of(const std::string& load) {
  const auto found = std::find_if(kAll.begin(), kAll.end(), [&load](const LoadFlaw& one) { return load == one.load; });
  return found == kAll.end() ? "" : found->flaw;
}

}  // namespace

std::string load_flaw(const std::vector<std::string>& scenarios) {
  if (scenarios.empty()) return "";
  const std::string out = flaw_of(scenarios.front());
  const bool same = std::all_of(scenarios.begin(), scenarios.end(),
                                [&out](const std::string& scenario) { return flaw_of(scenario) == out; });
  return same ? out : "";
}

bool also_when_stopped(const std::string& scenario) {
  return scenario == kIdle;
}

}  // namespace holdfast
