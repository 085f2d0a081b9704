// Blocks the thread of a client that drives its lock while other threads of its program run: a hanging job with a live
// heartbeat, a collection that stops one thread. For a lock in C++ the client's worker is blocked and its watchdog
// keeps renewing; for a separate program the holding thread sleeps as well, by the message `block`.
//
// Proved by the thread, which shows that it is blocked, and by other threads of the program: the client's heartbeat, or
// a pulse answered before the end of the block. A program that answers no pulse is stopped as a whole, which is a
// different fault.
#include "artifact/scenario_tables.hpp"
#include "artifact/units.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kGoesOn_ns = 500 * kMillisecond_ns;  // interval between signs of life of other threads
// without an answer for this long they count as stopped, too
constexpr std::int64_t kSilent_ns = 2'000 * kMillisecond_ns;

class Block : public ClientFault {
 public:
  explicit Block(std::int64_t ms) : ms_(ms) {}
  bool seen_after_release() const override { return true; }
  std::int64_t recovery_ms() const override { return kProof_ms + ms_; }  // a load that ends early does not wake it

 private:
  void begin(World& world, std::uint32_t client) override { world.use<ClientThreads>().block(client, ms_); }
  bool begun(World& world, std::uint32_t client) override {
    const BlockedThreadState thread = world.use<ClientThreads>().blocked_thread(client);
    return thread.stands && thread.others_went_on_ns >= 0;
  }
  std::string in_force() const override { return "one thread was blocked, the others continued"; }
  Look still(World& world, std::uint32_t client) override {
    const BlockedThreadState thread = world.use<ClientThreads>().blocked_thread(client);
    if (!thread.stands || thread.others_went_on_ns < 0 || thread.others_went_on_ns > kSilent_ns) return Look::over;
    return thread.others_went_on_ns > kGoesOn_ns ? Look::unclear : Look::in_force;
  }
  void end(World& world, std::uint32_t client) override { world.use<ClientThreads>().unblock(client); }
  bool ended(World& world, std::uint32_t client) override {
    return !world.use<ClientThreads>().blocked_thread(client).stands;
  }
  std::string over() const override { return "it continues"; }

  std::int64_t ms_;
};

// The duration must be known in advance.
std::unique_ptr<Fault> make_block(ObjectReader& settings) {
  if (const JsonNode* until = settings.node("until")) {
    until->refuse("block needs its length in advance; remedy: set for_ms");
  }
  const auto ms = settings.integer("for_ms", 1, kLongest_ms);
  return std::unique_ptr<Fault>(new Block(settings.required("for_ms", ms)));
}

}  // namespace

extern const FaultType fault_block;
const FaultType fault_block{
    .about = "blocks the thread that holds the lock while the program's other threads continue (for_ms)",
    .cause = "",  // elapsed time is not an excuse
    .settings = R"({"properties": {}, "required": ["for_ms"]})",
    .stops = true,  // the holding thread cannot act on what its program receives meanwhile
    .needs = {Capability::client_threads},
    .make = make_block,
};

}  // namespace holdfast
