// Driver for a C++ lock from the catalogue, in the client's own process.
#include "driver/driver.hpp"
#include "driver/lock_driver.hpp"

namespace holdfast {
namespace {

class InProcess : public DrivenLock {
 public:
  explicit InProcess(const LockType& type) : lock_(type.make()) {}
  std::unique_ptr<Driver> driver(Session& session, std::uint32_t) override {
    return std::make_unique<LockDriver>(lock_, session);
  }

 private:
  std::shared_ptr<Lock> lock_;
};

}  // namespace

extern const DriverType driver_in_process;
const DriverType driver_in_process{
    .about = "a lock written in C++, in the process of its client",
    .begin = [](const LockType& type, const ClientFacts&) -> std::unique_ptr<DrivenLock> {
      return std::make_unique<InProcess>(type);
    }};

}  // namespace holdfast
