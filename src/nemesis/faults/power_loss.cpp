// The server's machine loses power: its process ends immediately (SIGKILL), and its disk loses everything written but
// not synced. To heal, another process starts on what the disk kept. Acknowledged data survives only if the server's
// settings make it sync first.
//
// Proved as for a kill, and on the disk: of two test words, the synced one is there and the other is not. The amount
// that the server lost is reported but is not a proof: a server that syncs everything loses nothing.
#include <map>

#include "artifact/error.hpp"
#include "nemesis/server_end.hpp"

namespace holdfast {
namespace {

class PowerLossFault : public ServerEnd {
 protected:
  void end(World& world, std::uint32_t server) override {
    auto& disks = world.use<ServerDisks>();
    losses_before_[server] = disks.last_loss(server).times;
    disks.lose(server);
  }

  std::optional<std::string> seen(World& world, std::uint32_t server) const override {
    const DiskLoss loss = world.use<ServerDisks>().last_loss(server);
    if (loss.times == losses_before_.at(server)) return std::nullopt;
    if (loss.files == 0) throw HarnessError("the server has nothing on the disk that lost power");
    if (!loss.synced_kept) throw HarnessError("the disk lost synced data");
    if (!loss.unsynced_lost) throw HarnessError("the disk kept data that was not synced");
    return "power lost, server gone, probe refused; its disk lost " + std::to_string(loss.bytes) + " bytes and " +
           std::to_string(loss.names) + " names that it had not synced";
  }

  Durability promised(World& world, std::uint32_t server) const override {
    return world.use<ServerAdministration>().durability_without_power(server);
  }

 private:
  std::map<std::uint32_t, std::uint64_t> losses_before_;
};

}  // namespace

extern const FaultType fault_power_loss;
const FaultType fault_power_loss{
    .about =
        "the server's machine loses power: the server is killed, its disk loses all data not synced, and it restarts "
        "after for_ms",
    .cause = "session_lost",
    .needs = {Capability::server_processes, Capability::server_administration, Capability::server_disks},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new PowerLossFault); },
};

}  // namespace holdfast
