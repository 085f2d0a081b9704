// A fault of no use, for registry_test.sh: the one file that adding a fault takes.
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class DummyFault : public Fault {
 public:
  void act(World&, const Victims&) override {}
  std::optional<std::string> acted(World&, const Victims&) override { return "nothing"; }
  void heal(World&, const Victims&) override {}
  std::optional<std::string> healed(World&, const Victims&) override { return "nothing"; }
};

}  // namespace

extern const FaultType fault_dummy_fault;
const FaultType fault_dummy_fault{
    .about = "does nothing",
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new DummyFault); },
};

}  // namespace holdfast
