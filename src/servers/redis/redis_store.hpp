// Redis, stepped: see stepped_store.hpp.
#pragma once

#include <memory>
#include <string>

#include "lab/server_clock.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// `clock`: the server's own, which is frozen.
std::unique_ptr<SteppedStore> make_redis_store(const StoreSpec& spec, const std::string& host, int port,
                                               ServerClock& clock);

}  // namespace holdfast
