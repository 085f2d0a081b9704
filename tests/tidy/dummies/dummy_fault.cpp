// A fault that lets servers that it cut off back at once, for registry_test.sh: the one file that adding a fault takes.
// ClientRole it may strike, and where, follows from its needs.
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

class DummyFault : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      world.use<ClusterLinks>().cut_off(server);
      world.use<ClusterLinks>().let_back(server);
    }
  }
  std::optional<std::string> acted(World&, const Victims&) override { return "nothing"; }
  void heal(World&, const Victims&) override {}
  std::optional<std::string> healed(World&, const Victims&) override { return "nothing"; }
  bool lasts() const override { return false; }
};

}  // namespace

extern const FaultType fault_dummy_fault;
const FaultType fault_dummy_fault{
    .about = "cuts a server of a cluster off, and lets it back at once",
    .needs = {Capability::cluster_links},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new DummyFault); },
};

}  // namespace holdfast
