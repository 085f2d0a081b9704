// A driver that is added by its file alone: it grants whatever is asked.
#include "driver/driver.hpp"

namespace holdfast {
namespace {

class DummyDriver : public Driver {
 public:
  Answer start(const std::string&) override { return Answer::done(); }
  Answer acquire(Claim&) override { return Answer::granted(); }
  Answer renew(Claim&) override { return Answer::done(); }
  Answer release(Claim&) override { return Answer::done(); }
  Answer background(Claim&) override { return Answer::done(); }
  bool still_held(const Claim&) override { return true; }
  std::string why() const override { return ""; }
};

class DummyLock : public DrivenLock {
 public:
  std::unique_ptr<Driver> driver(Session&, std::uint32_t) override { return std::make_unique<DummyDriver>(); }
};

}  // namespace

extern const DriverType driver_dummy_driver;
const DriverType driver_dummy_driver{.about = "a driver that grants whatever is asked",
                                     .begin = [](const LockType&, const ClientFacts&) -> std::unique_ptr<DrivenLock> {
                                       return std::make_unique<DummyLock>();
                                     }};

}  // namespace holdfast
