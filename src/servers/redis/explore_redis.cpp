#include "servers/redis/explore_redis.hpp"

#include <csignal>
#include <utility>
#include <vector>

#include "lab/process.hpp"
#include "lab/server_clock.hpp"
#include "servers/redis/lab_address.hpp"
#include "servers/redis/redis_store.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr int kEnd_ms = 5'000;

class ExploreRedis : public ExploreServer {
 public:
  explicit ExploreRedis(std::string folder) : folder_(std::move(folder)) {}

  ExploreStores stores_of(const StoreSpec& spec) override {
    return {[this, spec](int worker) {
      need(worker);
      return make_redis_store(spec.of(worker), kHost, kRedisPort + worker,
                              servers_[static_cast<std::size_t>(worker)]->clock);
    }};
  }

  void stop() override {
    for (auto& one : servers_) {
      one->process.signal(SIGKILL);
      one->process.wait(kEnd_ms);
    }
  }

 private:
  struct Frozen {
    ServerClock clock;
    Process process;
  };

  void need(int worker) {
    while (static_cast<int>(servers_.size()) <= worker) {
      const int number = static_cast<int>(servers_.size());
      auto one = std::make_unique<Frozen>();
      RedisSpec spec;
      spec.data = folder_ + "/lab/redis-" + std::to_string(number);
      spec.log = folder_ + "/redis.log";
      spec.persistence = "none";
      spec.port = kRedisPort + number;
      spec.clock = &one->clock;
      one->process = start_redis(spec);
      ReadinessProbe probe = kRedisProbe;
      probe.port = spec.port;
      wait_for_answer(kHost, probe, one->process, spec.log, kServerStart_ms);
      servers_.push_back(std::move(one));
    }
  }

  std::string folder_;
  std::vector<std::unique_ptr<Frozen>> servers_;  // by worker
};

}  // namespace

std::unique_ptr<ExploreServer> explore_redis(const std::string& folder) {
  return std::make_unique<ExploreRedis>(folder);
}

}  // namespace holdfast
