// The servers of one kind in the explorer's lab, each started when it is first needed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

struct ExploreStores {
  std::function<std::unique_ptr<SteppedStore>(int worker)> make;
  // Runs the calls of a schedule with waits that are real; what was otherwise, or nothing. None where nothing can wait.
  std::function<std::string(const std::vector<StoreCall>&)> with_real_waits = nullptr;
};

class ExploreServer {
 public:
  virtual ~ExploreServer() = default;
  virtual ExploreStores stores_of(const StoreSpec& spec) = 0;  // its worker does not count
  virtual void stop() = 0;
};

}  // namespace holdfast
