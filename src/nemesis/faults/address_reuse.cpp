// The client's host leaves the network as if it had died, and its address is given to another host, where a new process
// of the same service starts, as DHCP and container orchestrators do after a crash. The old process is still alive and
// unaware. To heal, the old host returns with a new address; the new host keeps the old address. Processes continue to
// use the address with which they started as their name.
//
// Proved by probes: the new host's is answered at the old address, the old host's is not; healed when the old host's is
// answered at another address. It strikes one client.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSpareStart_ms = 10'000;  // for a process to start and connect

class AddressReuse : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    auto& hosts = world.use<SpareHosts>();
    address_ = hosts.address_seen(victims.front());
    next_ = hosts.give_address_away(victims.front());
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (!next_ || !world.use<SpareClients>().ready(*next_) || !has_its_address(world)) return std::nullopt;
    auto& hosts = world.use<SpareHosts>();
    if (!hosts.own_address(victims.front()).empty() || !hosts.address_seen(victims.front()).empty()) return {};
    return address_ + " moved to another host: its probe was answered, the old host's was not";
  }

  std::int64_t patience_ms() const override { return kSpareStart_ms; }

  // A probe without a timely answer is inconclusive: the old host's own kernel is asked whether it is connected.
  Look look(World& world, const Victims& victims, bool /*slowly*/) override {
    if (!world.use<SpareHosts>().own_address(victims.front()).empty()) return Look::over;
    const std::string seen = world.use<SpareHosts>().address_seen(*next_);
    if (seen.empty()) return Look::unclear;
    return seen == address_ ? Look::in_force : Look::over;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& victims) override { world.use<SpareHosts>().bring_back(victims.front()); }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    const std::string now = world.use<SpareHosts>().address_seen(victims.front());
    if (now.empty() || now == address_ || !next_ || !has_its_address(world)) return std::nullopt;
    return "the old host is back as " + now;
  }

 private:
  bool has_its_address(World& world) const {
    return !address_.empty() && world.use<SpareHosts>().address_seen(*next_) == address_;
  }

  std::string address_;
  std::optional<std::uint32_t> next_;  // the client started on the new host
};

}  // namespace

extern const FaultType fault_address_reuse;
const FaultType fault_address_reuse{
    .about = "the client's host leaves the network, and a new client starts on another host with the same address",
    .cause = "address_reuse",
    .needs = {Capability::spare_hosts, Capability::spare_clients},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new AddressReuse); },
};

}  // namespace holdfast
