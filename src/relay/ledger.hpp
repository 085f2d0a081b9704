// What the relay's thread and the runner's threads share: the operations that are open, the stops that are armed and
// what became of them, and the record of every request that counted. All of it may be called by any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relay/stops.hpp"

namespace holdfast {

// Which record; beyond what is kept there is none.
using RecordId = std::size_t;
inline constexpr RecordId kNoRecord = ~std::size_t{0};

class Ledger {
 public:
  using Shown = std::function<std::uint64_t(RelayClient)>;  // as RelaySettings has it
  Ledger(std::vector<std::string> locks, std::size_t most_records, Shown shown = nullptr)
      : locks_(std::move(locks)), most_(most_records), shown_(std::move(shown)) {}

  // The runner's side.
  RelayClient add_client();
  void begins(RelayClient client, RelayOperation operation);
  void ends(RelayClient client, RelayOperation operation);  // none: the last that began
  StopId arm(const StopAt& at);
  bool disarm(StopId stop);  // false: it was already reached
  std::optional<Reached> next_stop(int timeout_ms);
  void decide(StopId stop, const Action& action);  // throws HarnessError
  StopOutcome outcome(StopId stop) const;
  RelayedClient seen(RelayClient client) const;
  std::vector<RequestRecord> records() const;
  std::uint64_t records_left_out() const;

  // The relay's side.
  struct Ruling {
    RecordId record = kNoRecord;
    RequestRecord request;
    std::optional<StopId> before, after;
  };
  std::optional<std::size_t> lock_named(std::string_view bytes) const;
  Ruling came(RequestRecord request);
  void change(RecordId record, const std::function<void(RequestRecord&)>& how);
  void count(RelayClient client, const std::function<void(RelayedClient&)>& how);
  void reached(const Reached& stop);
  std::uint64_t connection_of(StopId stop) const;  // where it was reached; 0: nowhere
  // To do anything there: the connection is gone, or `why`.
  void too_late(StopId stop, const char* why = "the connection was gone before it was done");
  void change_outcome(StopId stop, const std::function<void(StopOutcome&)>& how);

 private:
  struct Client {
    struct Open {
      RelayOperation operation;
      std::uint64_t requests = 0;
      std::uint64_t shown = 0;  // as the client shows it; 0: it was told
    };
    std::vector<Open> open;
    std::uint64_t shown = 0;               // what it showed last
    std::uint64_t since_an_operation = 0;  // requests
    RelayedClient seen;
  };
  struct Stop {
    StopAt at;
    bool armed = true;
    std::uint64_t passed = 0;
    std::uint64_t connection = 0;
    bool decided = false;
    StopOutcome outcome;
  };
  void see_operation(RelayClient number);
  std::optional<StopId> stop_at(const RequestRecord& request, When when);

  const std::vector<std::string> locks_;
  const std::size_t most_;
  const Shown shown_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Client> clients_;
  std::deque<Stop> stops_;
  std::deque<Reached> reached_;
  std::deque<RequestRecord> records_;
  std::uint64_t left_out_ = 0;
};

}  // namespace holdfast
