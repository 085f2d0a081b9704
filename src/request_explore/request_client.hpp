// One client of a schedule: its adapter, its open call, the state of its program, and its requests held at the relay.
// The program is that of a simulated client (explore/client_program.hpp): it acquires until it is granted or was
// refused `attempts` times, renews once if the lock renews, releases if the lock releases, and starts the next round.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapter/adapter_program.hpp"
#include "explore/explore_settings.hpp"
#include "lock/lock.hpp"
#include "relay/request_point.hpp"

namespace holdfast {

// A request that is held, or was let through.
struct HeldRequest {
  RequestPointId stop = kNoRequestPoint;
  std::uint64_t serial = 0;
};

class RequestClient {
 public:
  RequestClient(const ExploreSettings& settings, const LockType& type, std::uint32_t number)
      : settings_(settings), type_(type), number_(number) {}

  void begin_with(std::unique_ptr<AdapterProgram> program);  // starts with a new process
  AdapterProgram* program() { return program_.get(); }
  void begin_schedule(const std::string& name);
  // Handles unasked messages of the adapter; called by its reader.
  void hear(const AdapterSaid& said);

  bool program_is_there() const { return program_ != nullptr; }
  bool gone() const { return !program_ || ended_; }
  bool idle() const { return !open_ && !gone(); }  // its next call may begin
  bool in_call() const { return open_.has_value(); }
  bool holds() const { return holds_; }
  Op next_op() const;  // if idle
  Op op() const { return open_ ? open_->op : Op::write; }

  void ask(Op op, bool waits = true);         // waits: an acquire may wait as long as the lock lets it
  void strike() { struck_ = true; }           // a request of the open call was lost or late, or its reply
  bool is_struck() const { return struck_; }  // ... of the open or the last call
  // Marks that its connections were struck, so that it must open some again; until it has rehearsed.
  void shake() { shaken_ = true; }
  bool is_shaken() const { return shaken_; }
  void rehearsed() { shaken_ = false; }
  // The answer to the open call, if it has arrived.
  struct Heard {
    Op op = Op::write;
    Answer answer{};
    std::string why;
    std::optional<std::int64_t> lease_ms;  // that the library says it has, if it says so
  };
  std::optional<Heard> take_answer();
  bool take_lost();  // the adapter reported its lock in this schedule as lost
  // Reason why it ended unasked or gave no proper answer; empty: it did not. The calls above and `look` detect it.
  const std::string& death() const { return death_; }
  void look();
  void kill();
  bool was_killed() const { return !program_; }

  std::uint32_t number() const { return number_; }
  // Requests of a call, or background requests without one.
  std::deque<HeldRequest>& held(bool background) { return held_[background ? 1 : 0]; }
  const std::deque<HeldRequest>& held(bool background) const { return held_[background ? 1 : 0]; }

 private:
  struct Open {
    Op op;
    std::int64_t n;
  };
  void note(const Heard& heard);

  const ExploreSettings& settings_;
  const LockType& type_;
  const std::uint32_t number_;
  std::unique_ptr<AdapterProgram> program_;
  std::string name_;
  std::optional<Open> open_;
  int round_ = 0;
  int refusals_ = 0;
  bool holds_ = false;
  bool renewed_ = false;
  bool ended_ = false;
  bool struck_ = false;
  bool shaken_ = false;
  std::string death_;
  std::array<std::deque<HeldRequest>, 2> held_;
  mutable std::mutex mutex_;
  std::vector<std::string> lost_;  // names
};

}  // namespace holdfast
