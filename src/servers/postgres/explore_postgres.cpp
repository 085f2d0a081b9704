#include "servers/postgres/explore_postgres.hpp"

#include <csignal>
#include <optional>
#include <utility>

#include "artifact/error.hpp"
#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/pg_store.hpp"
#include "servers/postgres/pg_waits.hpp"
#include "servers/real_waits.hpp"

namespace holdfast {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kServerEnds_ms = 5'000;

class ExplorePostgres : public ExploreServer {
 public:
  explicit ExplorePostgres(std::string folder) : folder_(std::move(folder)) {}

  ExploreStores stores_of(const StoreSpec& spec) override {
    if (!spec.variant.empty()) {
      throw Unavailable("explore does not support a pooler in front of PostgreSQL; remedy: use the lock without +" +
                        spec.variant + ", or holdfast run");
    }
    need_server();
    return {[spec](int worker) { return make_pg_store(spec.of(worker), kLoopback); },
            [spec](const std::vector<StoreCall>& calls) {
              return RealWaits(pg_waits(spec, kLoopback), spec.sessions).differs(calls);
            }};
  }

  void stop() override {
    if (!server_) return;
    server_->signal(SIGKILL);
    server_->wait(kServerEnds_ms);
  }

 private:
  void need_server() {
    if (server_) return;
    PostgresSpec spec;
    spec.data = folder_ + "/lab/postgres";
    spec.log = folder_ + "/postgres.log";
    spec.settings.synchronous_commit = "off";  // this server is never killed
    spec.settings.fsync = false;
    spec.more = {"full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "shared_buffers=64MB"};
    server_ = start_postgres(spec);
    wait_for_answer(kLoopback, postgres_probe(kPostgresPort), *server_, spec.log, kServerStart_ms);
  }

  std::string folder_;
  std::optional<Process> server_;
};

}  // namespace

std::unique_ptr<ExploreServer> explore_postgres(const std::string& folder) {
  return std::make_unique<ExplorePostgres>(folder);
}

}  // namespace holdfast
