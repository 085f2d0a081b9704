// Ends a client process immediately (SIGKILL). A new one replaces it: on the same node and address, as another process
// and owner. It starts right after the kill, since a program may take seconds to start, and sends no requests until the
// fault is healed. Proved by the state of the process, and by the new client's work.
//
// It lasts until the new client's first attempt: if its program takes longer than for_ms to start, so does the fault.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

// Time for a process to start and connect. An adapter has half a minute: one in Java needs more than 10 s of that on a
// busy machine.
constexpr std::int64_t kReplacementStart_ms = 40'000;
// A working client makes a request within a poll interval, or a tick of an election.
constexpr std::int64_t kFirstAttempt_ms = 3'000;

class Kill : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      world.use<ClientProcesses>().kill(client);
      if (const auto next = world.use<SpareClients>().prepare(client)) replacements_.push_back(*next);
    }
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (!world.candidates().gone(client)) return std::nullopt;
    }
    return "killed, gone";
  }

  Look look(World& world, const Victims& victims, bool /*slowly*/) override {
    bool works = false;
    for (const auto client : replacements_) works = works || world.use<SpareClients>().working(client);
    return acted(world, victims) && !works ? Look::in_force : Look::over;
  }

  void heal(World& world, const Victims&) override {
    for (const auto client : replacements_) world.use<SpareClients>().begin(client);
  }

  std::int64_t recovery_ms() const override { return kReplacementStart_ms; }
  bool lasts_until_healed() const override { return true; }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    if (replacements_.size() != victims.size()) return std::nullopt;
    bool asked = true;
    for (const auto client : replacements_) {
      if (!world.use<SpareClients>().working(client)) return std::nullopt;
      asked = asked && world.use<SpareClients>().asked(client);
    }
    const std::int64_t now_ns = world.time().now_ns();
    if (works_ns_ < 0) works_ns_ = now_ns;
    if (asked) return "its replacement requests the lock";
    if (now_ns - works_ns_ < kFirstAttempt_ms * 1'000'000) return std::nullopt;
    return "its replacement has not requested the lock";
  }

 private:
  Victims replacements_;
  std::int64_t works_ns_ = -1;  // when they were first seen working
};

}  // namespace

extern const FaultType fault_kill;
const FaultType fault_kill{
    .about = "kills the client process (kill -9); a new one takes its place after for_ms, or as soon as it has started",
    .cause = "",  // a lock that grants while a dead client's lease lasts is at fault
    .needs = {Capability::client_processes, Capability::spare_clients},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Kill); },
};

}  // namespace holdfast
