#include "reports/load_flaws.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace holdfast {
namespace {

struct LoadFlaw {
  const char* load;
  const char* flaw;
};

constexpr const char* kIdle = "idle_jobs";
constexpr const char* kKeys =
    "the lock treats keys that differ in case, trailing blanks, length or Unicode form as the same. If the key's "
    "column has a collation, give it the type VARBINARY, or a binary collation that does not pad (its name ends in "
    "nopad_bin or 0900_bin), as long as the longest key. Check how the lock turns a key into a name.";
constexpr const char* kIsolation =
    "the lock relies on the isolation level of its session: at another level, a read sees what it should not, or no "
    "longer blocks. Set the level in the transaction, or decide in the statement that changes the row.";
constexpr const char* kSeveralKeys =
    "the lock mixes up keys when a client uses several: check what it stores once per client or connection instead of "
    "once per key.";

// Loads that break together where the lock takes several clients for one owner; each alone has other reasons, too.
constexpr std::array<const char*, 3> kOwnerLoads{"shared_address", "threads", "release_after_lease"};
constexpr const char* kOneOwner =
    "the lock takes several clients for the same owner: its owner is something that they share, such as an address, a "
    "host name, a process id or a name of the whole program. Give each grant an owner of its own.";

constexpr const char* kReaderKilled = "reader_killed";
constexpr const char* kReaders =
    "the lock loses sight of a reader: another reader's release, or its end, removes more than its own entry, or a "
    "writer looks at less than all readers. Keep an entry for each reader, with an end of its own.";

constexpr std::array<LoadFlaw, 19> kAll{{
    {"readers", kReaders},
    {"long_readers",
     "a reader's renewals do not keep all that a writer looks at, so a reader that works longer than one lease counts "
     "as gone. Renew the reader's own entry and that of all readers in one request."},
    {kReaderKilled, kReaders},
    {"keys_alike", kKeys},
    {"keys_apart", kKeys},
    {"owners_alike",
     "the lock treats owners that differ in case, trailing blanks, length or Unicode form as the same. If the owner's "
     "column has a collation, give it the type VARBINARY, or a binary collation that does not pad (its name ends in "
     "nopad_bin or 0900_bin), as long as the longest owner."},
    {"zones",
     "the lock's times depend on the session's time zone, as NOW() and CURRENT_TIMESTAMP do. Use UTC_TIMESTAMP(), or a "
     "type that keeps the zone."},
    {"own_leases",
     "another client's lease decides when a holder's lease expires. Store the end of the lease when it is granted, and "
     "compare with that."},
    {kIdle,
     "a session holds the lock, and the server ends idle sessions (wait_timeout, idle_in_transaction_session_timeout, "
     "timeout, or a pooler's own limit): no fault is needed, a long job is enough. Send something in time, raise the "
     "limit for this session, and check before each write that the session is still alive."},
    {"long_waits",
     "a waiter's lease runs while it waits. Start the lease at the grant, or check before answering that the waiter's "
     "entry still exists."},
    {"fraction",
     "a lease with a fraction of a second is cut short: check the precision of the column, and divisions that round to "
     "whole seconds."},
    {"read_committed", kIsolation},
    {"isolation", kIsolation},
    {"several_keys", kSeveralKeys},
    {"many_keys", kSeveralKeys},
    {"keys_at_once", kSeveralKeys},
    {"threads",
     "threads of one program interfere with each other: check what the lock object stores for the whole program, such "
     "as its owner."},
    {"shared_address", "the lock identifies clients by address, and several clients have the same address."},
    {"found_rows",
     "the lock counts changed rows, but this driver reports the rows that matched. Detect the change by another value "
     "in the statement, or read the row."},
}};

struct StruckLoadFlaw {
  const char* load;
  const char* kind;
  const char* flaw;
};

constexpr const char* kLateGrant =
    "a request of a cancelled acquire is granted later, and no client frees what it took. A cancel must wait for the "
    "answer and release what was granted; renewals must start only for an acquire that is still wanted.";
constexpr const char* kStartFrees =
    "a client that starts frees or resets what others hold: a holder lost the lock when the program of a client that "
    "held nothing started again. At a start, clean up only what the same owner left, or what has expired.";
constexpr const char* kStartBesideHolder = "start_beside_holder";
constexpr std::array<StruckLoadFlaw, 6> kAllStruck{{
    {kStartBesideHolder, "algorithm", kStartFrees},
    {kStartBesideHolder, "lost_lock", kStartFrees},
    {kStartBesideHolder, "kill", kStartFrees},
    {"cancelled_in_transit", "stuck", kLateGrant},
    {"cancelled_in_transit", "refused_free", kLateGrant},
    {"long_job_cut", "overrun",
     "renewals do not go on after a cut that ended inside the lease, and the job continues without "
     "them. Renew again at the next interval whatever the last answer was, and tell the job when its lease is over."},
}};

std::string flaw_of(const std::string& load) {
  const auto found = std::find_if(kAll.begin(), kAll.end(), [&load](const LoadFlaw& one) { return load == one.load; });
  return found == kAll.end() ? "" : found->flaw;
}

// True if several loads break, and each is one that a shared owner breaks. Two of three include one whose clients
// share.
bool show_one_owner(const std::vector<std::string>& scenarios) {
  const std::set<std::string> loads(scenarios.begin(), scenarios.end());
  return loads.size() > 1 && std::all_of(loads.begin(), loads.end(), shows_shared_owner);
}

}  // namespace

bool names_a_flaw(const std::string& scenario) {
  return shows_shared_owner(scenario) || scenario == kReaderKilled;
}

std::string load_flaw(const std::vector<std::string>& scenarios) {
  if (scenarios.empty()) return "";
  if (show_one_owner(scenarios)) return kOneOwner;
  const std::string out = flaw_of(scenarios.front());
  const bool same = std::all_of(scenarios.begin(), scenarios.end(),
                                [&out](const std::string& scenario) { return flaw_of(scenario) == out; });
  return same ? out : "";
}

bool is_named_by_all(const std::string& scenario) {
  return scenario == kStartBesideHolder;
}

std::string struck_load_flaw(const std::string& scenario, const std::string& kind) {
  const auto found = std::find_if(kAllStruck.begin(), kAllStruck.end(),
                                  [&](const StruckLoadFlaw& one) { return scenario == one.load && kind == one.kind; });
  return found == kAllStruck.end() ? "" : found->flaw;
}

bool shows_shared_owner(const std::string& scenario) {
  return std::find(kOwnerLoads.begin(), kOwnerLoads.end(), scenario) != kOwnerLoads.end();
}

bool also_when_stopped(const std::string& scenario) {
  return scenario == kIdle;
}

}  // namespace holdfast
