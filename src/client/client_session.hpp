// The client process's Session: a real connection plus the harness's three duties around every statement. It stops at
// injection points, applies the fault's action to the reply, and records evidence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "control/control_page.hpp"
#include "history/event.hpp"
#include "history/journal.hpp"
#include "store/session.hpp"

namespace holdfast {

class ClientSession : public Session {
 public:
  // `main`: the control page shows this session's connection as the client's own; a watchdog's is not shown.
  ClientSession(ControlPage& page, std::uint32_t client, std::unique_ptr<StatementConnection> connection,
                std::string own_address, JournalWriter& journal, bool main = true, std::uint32_t thread = 0);

  void set_zone(std::int64_t seconds_east) { zone_s_ = seconds_east; }

  Reply attempt(std::string_view statement, Params params) override;
  std::int64_t now_ns() override;
  std::int64_t steady_ns() override;
  void sleep_ms(std::int64_t ms) override;
  std::string address() const override { return own_address_; }
  std::int64_t zone_s() const override { return zone_s_; }
  std::uint32_t servers() const override { return connection_->servers(); }

  // Passes a phase of the client's work.
  void pass(Phase phase) {
    const bool begins =
        phase == Phase::before_acquire || phase == Phase::before_renew || phase == Phase::before_release;
    if (begins) requests_ = 0;
    if (begins && main_) await_turn(page_.clients[client_].gated);
    arrive(page_, client_, {phase, nullptr, false, state_}, [this] { now_ns(); });
    if (stands_) stands_();
  }

  // Sets a callback that runs after each point the worker passes and blocks while a fault blocks the thread.
  void stands(std::function<void()> stand) { stands_ = std::move(stand); }

  // State of its worker or watchdog, compared with the armed points at every point it passes.
  ClientState& state() { return state_; }

  void connect() { connection_->connect(); }

  bool take_changed() override;

 private:
  // Passes the point before or after a statement; returns true if the reply must be dropped.
  bool pass(const char* statement, bool after);

  void note_change(std::string_view statement, const Reply& reply);
  std::int64_t drift_ns();  // offset of this client's clocks caused by drift faults

  ControlPage& page_;
  std::uint32_t client_;
  std::unique_ptr<StatementConnection> connection_;
  std::string own_address_;
  std::int64_t zone_s_ = 0;
  JournalWriter& journal_;  // statements are recorded when they are answered, even if the client dies next
  bool main_;
  std::uint32_t thread_;
  bool changed_ = false;
  bool changed_before_ = false;  // before the open transaction
  std::function<void()> stands_;
  ClientState state_;
  std::int64_t requests_ = 0;  // statements of the operation so far that name its key, counted as a relay counts them
  bool names_key_ = false;     // true if the current one does
  OpenTransaction transaction_;
};

struct ResourceWrite {
  std::string key;
  std::uint32_t client = 0;
  std::uint64_t grant = 0;   // number of its acquire
  std::uint64_t number = 0;  // number of the write
  std::int64_t base = 0;     // value that was read
  std::uint64_t token = 0;
};

// The client's access to the protected resource (sql/resource.sql): reads at the start of the critical section, and
// writes at its end. Blind: the write always succeeds. Fenced: reads and writes carry the grant's token, and an older
// one is refused. Errors are values here: the resource provides evidence and is not under test.
class ResourceClient {
 public:
  ResourceClient(std::unique_ptr<StatementConnection> connection, bool fenced);
  void connect() { connection_->connect(); }

  // Returns the value; nothing if the resource refused the token or did not answer.
  std::optional<std::int64_t> read(const std::string& key, std::uint64_t token);

  // Returns ok (accepted), fail (refused: an older token) or info (no answer; the log will show the result).
  EventType write(const ResourceWrite& write);

 private:
  std::unique_ptr<StatementConnection> connection_;
  bool fenced_;
};

}  // namespace holdfast
