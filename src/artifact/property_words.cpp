#include "artifact/property_words.hpp"

#include <algorithm>

namespace holdfast {
namespace {

const KindWords* find(const std::vector<KindWords>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const KindWords& kind) { return name == kind.name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<KindWords>& cause_words() {
  constexpr KindWeight kFault = KindWeight::fault;
  static const std::vector<KindWords> kAll{
      {.name = "client_skew",
       .advice = "the lock decides by a client's clock whether a lease has expired. Let the server's clock decide, in "
                 "the statement that also changes the row.",
       .weight = kFault},
      {.name = "clock_drift",
       .advice = "the lock or its caller counts the lease by a client's clock, which runs at a different speed from "
                 "the server's. Let the server's clock decide, and leave a margin.",
       .weight = kFault},
      {.name = "server_clock",
       .advice = "the lease is stored as a wall-clock time, and the server's clock moved. Only fencing tokens that the "
                 "resource checks protect the data then.",
       .advice_fenced = "the lease is stored as a wall-clock time, and the server's clock moved. Only the lock's "
                        "fencing tokens protect the data then.",
       .weight = kFault},
      {.name = "server_lost_state",
       .meaning = "the server lost a grant that it had acknowledged: its entries were dropped, it restarted after a "
                  "kill or a power loss, or a replica was promoted in its place",
       .advice = "the server lost an acknowledged grant: its entries were dropped (by an operator, FLUSHALL or "
                 "eviction), it restarted without durable logs, or a promoted replica never had the grant.",
       .weight = kFault},
      {.name = "session_lost",
       .meaning = "the server ended the session that held the lock, by `connection_kill` or because its process ended "
                  "(`server_kill`, `power_loss`)",
       .advice = "the server ended the session that held the lock, and the holder did not notice. Have the holder "
                 "check that its session is still alive before it acts.",
       .weight = kFault},
      {.name = "reply_lost",
       .advice =
           "a statement took effect although its reply was lost. Check what the lock does after an uncertain answer.",
       .weight = kFault},
      {.name = "request_lost",
       .advice = "a request never arrived. Check what the lock does after an uncertain answer.",
       .weight = kFault},
      {.name = "late_request",
       .meaning = "a request arrived after its client had given up waiting for it",
       .advice = "a request arrived late and took effect. Have the server check for each request that it is still "
                 "valid: by an owner that is unique to the grant, or by a token.",
       .weight = kFault},
      {.name = "request_twice",
       .meaning = "a request arrived twice, as from a proxy that retries",
       .advice =
           "a request took effect twice. Have the server check for each request that it has not been executed before.",
       .weight = kFault},
      {.name = "partition",
       .advice = "a client was cut off: a request that it had sent took effect late, or it did not notice that it had "
                 "lost the lock.",
       .weight = kFault},
      {.name = "server_partition",
       .advice = "a server was cut off from the others: check what it still grants, and what it revokes later.",
       .weight = kFault},
      {.name = "address_reuse",
       .advice = "the lock identifies clients by address, and another client got the address. Make the owner unique to "
                 "the process and the grant.",
       .weight = kFault},
  };
  return kAll;
}

const KindWords* find_cause(const std::string& name) {
  return find(cause_words(), name);
}

const KindWords* find_kind(const std::string& name) {
  for (const auto& property : property_words()) {
    if (const KindWords* own = find(property.type->kinds, name)) return own;
  }
  return find_cause(name);
}

std::vector<std::string> promisable_properties() {
  std::vector<std::string> names;
  for (const auto& [name, words] : property_words()) {
    if (words->promised_by != PromisedBy::nobody) names.push_back(name);
  }
  return names;
}

std::vector<std::string> properties_promised_by(const PromiseFacts& facts) {
  const auto promised = [&](PromisedBy by) {
    switch (by) {
      case PromisedBy::nobody:
        return false;
      case PromisedBy::every_lock:
        return true;
      case PromisedBy::fenced_locks:
        return facts.fenced;
      case PromisedBy::locks_with_owners:
        return facts.has_owners;
      case PromisedBy::locks_that_are_asked:
        return facts.asked;
      case PromisedBy::locks_that_tell:
        return facts.tells;
      case PromisedBy::elections_that_tell:
        return facts.tells_leader;
      case PromisedBy::locks_that_assert:
        return facts.asserts;
    }
    return false;
  };
  std::vector<std::string> names;
  for (const auto& [name, words] : property_words()) {
    if (promised(words->promised_by)) names.push_back(name);
  }
  return names;
}

bool concerns(const std::string& property, Concerns what) {
  const PropertyWords* words = find_entry(property_words(), property);
  return words != nullptr && words->concerns == what;
}

int rank_of(const std::string& property) {
  const PropertyWords* words = find_entry(property_words(), property);
  return words == nullptr ? kLastRank + 1 : words->rank;
}

}  // namespace holdfast
