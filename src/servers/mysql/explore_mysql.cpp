#include "servers/mysql/explore_mysql.hpp"

#include <csignal>
#include <filesystem>
#include <optional>
#include <utility>

#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_waits.hpp"
#include "servers/mysql/sql_store.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr int kEnd_ms = 5'000;
constexpr std::size_t kLongestSocket = 100;  // the kernel's limit is 107 characters

class ExploreMySql : public ExploreServer {
 public:
  explicit ExploreMySql(std::string folder) : folder_(std::move(folder)) {}

  ExploreStores stores_of(const StoreSpec& spec) override {
    need_server();
    const std::string socket = folder_ + "/lab/db/" + kServerSocket;
    const std::string host = socket.size() < kLongestSocket ? socket : kHost;
    return {[spec, host](int worker) { return make_sql_store(spec.of(worker), host); },
            [spec, host](const std::vector<StoreCall>& calls) {
              return RealWaits(mysql_waits(spec, host), spec.sessions).differs(calls);
            }};
  }

  void stop() override {
    if (!server_) return;
    server_->signal(SIGKILL);
    server_->wait(kEnd_ms);
  }

 private:
  void need_server() {
    if (server_) return;
    ServerSpec spec;
    spec.data = folder_ + "/lab/db";
    spec.log = folder_ + "/server.log";
    spec.flush_log_at_commit = 0;     // this server is never killed
    spec.more = {"--sysdate-is-now",  // SYSDATE() follows the session's timestamp, as NOW() does
                 "--innodb-log-file-size=96M", "--innodb-buffer-pool-size=64M", "--innodb-doublewrite=0",
                 "--thread-cache-size=64"};
    std::filesystem::create_directories(spec.data);
    server_ = start_mariadb(spec);
    wait_for_answer(kHost, kMySqlProbe, *server_, spec.log, kServerStart_ms);
  }

  std::string folder_;
  std::optional<Process> server_;
};

}  // namespace

std::unique_ptr<ExploreServer> explore_mysql(const std::string& folder) {
  return std::make_unique<ExploreMySql>(folder);
}

}  // namespace holdfast
