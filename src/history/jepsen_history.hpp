// Jepsen's own history.edn of a lock or mutex test, as a foreign history.
//
//   {:type :invoke, :f :acquire, :value nil, :process 0, :time 3291485317, :index 0}
//   {:type :ok,     :f :acquire, :value nil, :process 0, :time 3292014478, :index 1}
//
// `:acquire`, `:lock` and `:release`, `:unlock` are taken, `:renew` and `:write` as well; operations of the nemesis and
// of other named processes are passed over, and so is any other `:f`, which is told once. A history without an acquire
// or a release is refused. The key is `:key`, or the first of a `:value` of two (jepsen.independent), if it is a name.
// A token is `:token` or `:fence`, also inside a `:value` that is a map, or inside the second of such a two; a lease is
// `:lease-ms`. Of a failure's `:error` (or of the first item, if it is a list) `:busy` means what it means in
// docs/history.md.
//
// Jepsen takes an operation's time before it writes the line, so a time may go back a little: then the order of the
// lines decides, the time before is taken, and a lease that is counted from there ends as it would have. It is told
// once.
//
// `:not-held` is the lock's answer, or, if so asked, the client's own: it holds nothing as far as it knows, and has not
// asked the lock (`NotHeld`). It is told where that makes a difference.
//
// Where a release or renewal is called with a token, who owns what is said by the token: the operation is then that of
// the process to which it was granted, whoever sends it; a process that asks again while it owns one is another owner,
// named 3.2 after its process 3.
//
// Throws BadInput("FILE:LINE: ...") for whatever else the JSON lines would be refused for.
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

// Under which name an operation is told, where tokens say who owns what.
class TokenOwners {
 public:
  // Of an operation of `process`: an acquire as it is called, a release or renewal with a token.
  std::string asks(const std::string& process);
  std::string gives(const std::string& process, std::uint64_t token);
  std::string answered(const std::string& process) const;  // under the name under which it was called

  void granted(const std::string& process, std::uint64_t token);
  void given_back(const std::string& process);
  bool begun() const { return begun_; }
  bool owns(const std::string& name) const { return token_of_.count(name) > 0; }
  void called(const std::string& process, const std::string& name) { open_[process] = name; }
  void over(const std::string& process) { open_.erase(process); }

 private:
  bool begun_ = false;                             // a release or renewal had a token
  std::map<std::string, std::string> open_;        // by process: the name of its open operation
  std::map<std::uint64_t, std::string> owners_;    // by token
  std::map<std::string, std::uint64_t> token_of_;  // by name
  std::map<std::string, int> names_;               // by process: how many it has had
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
  bool of_a_lock_ = false;           // somebody asked for one, or gave it back
  std::set<std::string> functions_;  // passed over; a few
  std::uint64_t passed_over_ = 0;
  std::uint64_t first_passed_over_ = 0;  // its line
  std::int64_t last_time_ns_ = 0;
  std::int64_t most_back_ns_ = 0;
  std::uint64_t times_back_ = 0;
  std::uint64_t first_back_ = 0;                        // its line
  std::map<std::string, std::int64_t> called_late_ns_;  // by process: how much later its call is told than it was
  std::vector<bool> granted_;                           // by process: granted what it has not given back
  std::uint64_t not_held_though_granted_ = 0;
  std::uint64_t first_not_held_ = 0;  // its line
};

}  // namespace holdfast
