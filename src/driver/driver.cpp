#include "driver/driver.hpp"

#include "artifact/error.hpp"

namespace holdfast {

const DriverType& driver_type(const std::string& name) {
  if (const DriverType* type = find_entry(drivers(), name)) return *type;
  throw HarnessError("unknown driver '" + name + "'");
}

}  // namespace holdfast
