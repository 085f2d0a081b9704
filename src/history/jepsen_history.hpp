// Reads Jepsen's own history.edn of a lock or mutex test as a foreign history.
//
//   {:type :invoke, :f :acquire, :value nil, :process 0, :time 3291485317, :index 0}
//   {:type :ok,     :f :acquire, :value nil, :process 0, :time 3292014478, :index 1}
//
// Accepts `:acquire`, `:lock` and `:release`, `:unlock`, as well as `:renew` and `:write`; skips operations of the
// nemesis and other named processes, and any other `:f`, with one warning. Refuses a history without an acquire or a
// release. The key is `:key`, or the first element of a two-element `:value` (jepsen.independent), if it is a name. A
// token is `:token` or `:fence`, also inside a `:value` that is a map, or inside the second element of such a pair; a
// lease is `:lease-ms`. A failure's `:error` (or its first element) `:busy` means the same as in docs/history.md.
//
// Jepsen reads an operation's time before it writes the line, so a time may go back a little. Then the order of lines
// decides, the previous time is used, and leases counted from the original time keep their ends. One warning is given.
//
// `:not-held` is the lock's answer, or, on request, the client's own: it believes it holds nothing and did not ask the
// lock (`NotHeld`). A warning is given if this makes a difference.
//
// If a release or renewal is called with a token, the token names the owner: the operation then belongs to the process
// to which the token was granted, whichever process sends it. A process that acquires again while it owns a token is
// another owner, named 3.2 for process 3.
//
// Throws BadInput("FILE:LINE: ...") for errors that JSON lines would have, too.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "history/edn_reader.hpp"
#include "history/event_rules.hpp"

namespace holdfast {

enum class NotHeld : std::uint8_t { said_by_lock, said_by_client };

// Names of operations if tokens identify owners.
class TokenOwners {
 public:
  // Starts an operation of `process`: an acquire by its caller, a release or renewal by its token.
  std::string asks(const std::string& process);
  std::string gives(const std::string& process, std::uint64_t token);
  std::string answered(const std::string& process) const;  // returns the name under which it was called

  void granted(const std::string& process, std::uint64_t token);
  void given_back(const std::string& process);
  bool begun() const { return begun_; }
  bool owns(const std::string& name) const { return token_of_.count(name) > 0; }
  void called(const std::string& process, const std::string& name) { open_[process] = name; }
  void over(const std::string& process) { open_.erase(process); }

 private:
  bool begun_ = false;                             // a release or renewal had a token
  std::map<std::string, std::string> open_;        // by process: name of its open operation
  std::map<std::uint64_t, std::string> owners_;    // by token
  std::map<std::string, std::uint64_t> token_of_;  // by name
  std::map<std::string, int> names_;               // by process: number of its names
};

class JepsenHistory : public HistorySource {
 public:
  explicit JepsenHistory(const InputFile& file, NotHeld not_held = NotHeld::said_by_lock)
      : forms_(file), not_held_(not_held) {}

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return forms_.path(); }
  std::uint64_t position() const override { return forms_.line(); }
  bool timed() const override { return rules_.timed(); }
  bool next(Event& event) override;
  std::vector<std::string> warnings(bool whole) const override;

 private:
  bool read(Event& event);
  void read_time(Event& event);
  void name_owner(Event& event);
  void note_not_held(Event& event);
  void pass_over(const std::string& function);
  [[noreturn]] void refuse_without_lock() const;

  EdnReader forms_;
  NotHeld not_held_;
  EdnValue form_;
  HistoryHeader header_;
  HistoryLine line_;
  EventRules rules_;
  TokenOwners owners_;
  bool owners_by_token_ = false;     // a token was seen
  bool of_a_lock_ = false;           // the history has an acquire or a release
  std::set<std::string> functions_;  // a few of the skipped ones
  std::uint64_t passed_over_ = 0;
  std::uint64_t first_passed_over_ = 0;  // its line
  std::int64_t last_time_ns_ = 0;
  std::int64_t most_back_ns_ = 0;
  std::uint64_t times_back_ = 0;
  std::uint64_t first_back_ = 0;  // its line
  // by process: difference between the written and the true time of its call
  std::map<std::string, std::int64_t> called_late_ns_;
  std::vector<bool> granted_;  // by process: has an unreleased grant
  std::uint64_t not_held_though_granted_ = 0;
  std::uint64_t first_not_held_ = 0;  // its line
};

}  // namespace holdfast
