// State shared by the relay's thread and the runner's threads: open operations, armed injection points with their
// outcomes, and records of all requests that counted. Thread-safe.
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

#include "relay/request_point.hpp"

namespace holdfast {

// Index of a record; requests beyond the limit have none.
using RecordId = std::size_t;
inline constexpr RecordId kNoRecord = ~std::size_t{0};

class Ledger {
 public:
  using OperationReading = std::function<std::uint64_t(RelayClient)>;  // as in RelaySettings
  using ByteListener = std::function<void(const HeardBytes&)>;
  Ledger(std::vector<std::string> locks, std::size_t most_records, OperationReading shown = nullptr,
         ByteListener hears = nullptr)
      : locks_(std::move(locks)), most_(most_records), shown_(std::move(shown)), hears_(std::move(hears)) {}

  // The runner's side.
  RelayClient add_client();
  void begins(RelayClient client, RelayOperation operation);
  void ends(RelayClient client, RelayOperation operation);  // none: the last that began
  RequestPointId arm(const RequestPoint& at);
  bool disarm(RequestPointId stop);  // false: it was already reached
  void stop_all(bool wanted, const std::string& lock);
  std::uint64_t of_other_locks() const;
  void forget_before(RequestPointId stop);
  std::optional<Reached> next_stop(int timeout_ms);
  void decide(RequestPointId stop, const Action& action);  // throws HarnessError
  RequestPointOutcome outcome(RequestPointId stop) const;
  RelayedClient seen(RelayClient client) const;
  std::vector<RequestRecord> records() const;
  std::uint64_t records_left_out() const;

  // The relay's side.
  struct Ruling {
    RecordId record = kNoRecord;
    RequestRecord request;
    std::optional<RequestPointId> before, after;
  };
  std::optional<std::size_t> lock_named(std::string_view bytes) const;
  bool is_stopped_lock(std::string_view bytes) const;  // true, too, if the stops are for all locks
  Ruling came(RequestRecord request);
  bool hears() const { return hears_ != nullptr; }
  void hear(const HeardBytes& heard) const {
    if (hears_) hears_(heard);
  }
  void change(RecordId record, const std::function<void(RequestRecord&)>& how);
  void count(RelayClient client, const std::function<void(RelayedClient&)>& how);
  void reached(const Reached& stop);
  std::uint64_t connection_of(RequestPointId stop) const;  // where it was reached; 0: nowhere
  // The action is impossible: the connection is gone, or for the reason `why`.
  void too_late(RequestPointId stop, const char* why = "the connection closed before this was done");
  void change_outcome(RequestPointId stop, const std::function<void(RequestPointOutcome&)>& how);

 private:
  struct Client {
    struct Open {
      RelayOperation operation;
      std::uint64_t requests = 0;
      std::uint64_t shown = 0;  // as shown by the client; 0: reported by the runner
    };
    std::vector<Open> open;
    std::uint64_t shown = 0;               // value shown last
    std::uint64_t since_an_operation = 0;  // requests
    RelayedClient seen;
  };
  struct PointState {
    RequestPoint at;
    bool armed = true;
    std::uint64_t passed = 0;
    std::uint64_t connection = 0;
    bool decided = false;
    RequestPointOutcome outcome;
  };
  PointState& stop_of(RequestPointId stop) { return stops_.at(stop - first_stop_); }
  const PointState& stop_of(RequestPointId stop) const { return stops_.at(stop - first_stop_); }
  bool is_kept(RequestPointId stop) const { return stop != kNoRequestPoint && stop >= first_stop_; }
  RequestPointId new_stop(PointState stop);
  void see_operation(RelayClient number);
  std::optional<RequestPointId> stop_at(const RequestRecord& request, When when);

  const std::vector<std::string> locks_;
  const std::size_t most_;
  const OperationReading shown_;
  const ByteListener hears_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Client> clients_;
  std::deque<PointState> stops_;
  RequestPointId first_stop_ = 0;  // first one that is kept
  bool stops_all_ = false;
  std::string stopped_lock_;  // empty: all
  std::uint64_t of_other_locks_ = 0;
  std::uint64_t came_ = 0;
  std::deque<Reached> reached_;
  std::deque<RequestRecord> records_;
  std::uint64_t left_out_ = 0;
};

}  // namespace holdfast
