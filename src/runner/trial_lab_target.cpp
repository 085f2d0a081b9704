// TrialLab where the lock's server is a target, one of the user's own.
#include <fcntl.h>
#include <sys/stat.h>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "lab/mariadb.hpp"
#include "runner/target_server.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {
namespace {

constexpr int kFolderDescriptor = 4;  // of a client
constexpr int kStartLook_ms = 5;

// A socket's path must be short, a run's folder may be deep: the folder is named by a descriptor.
std::string socket_in(int folder) {
  return "/proc/self/fd/" + std::to_string(folder) + "/" + kServerSocket;
}

MySqlAddress resource_on(const std::string& socket) {
  MySqlAddress address = trial_address("");
  address.socket = socket;
  return address;
}

void wait_for_socket(const std::string& socket, Process& server, const std::string& log) {
  MySqlAddress address = resource_on(socket);
  address.database.clear();
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kServerStart_ms);
  while (true) {
    try {
      return MySqlConnection(address).connect();
    } catch (const StatementFailed& failed) {
      if (server.wait(kStartLook_ms)) throw HarnessError("the resource's server ended at once; see " + log);
      if (std::chrono::steady_clock::now() >= until)
        throw HarnessError(std::string("the resource's server: ") + failed.what());
    }
  }
}

}  // namespace

void TrialLab::start_on_target() {
  lock_server_ = make_target_server(*target_);
  MySqlAddress resource = target_->mysql();
  std::string prefix = target_->prefix;
  if (target_->kind == StoreKind::redis) {
    ServerSpec spec;
    spec.data = folder_ + "/lab/resource";
    spec.log = folder_ + "/server-resource.log";
    spec.connections = connections();
    spec.only_socket = true;
    if (::mkdir(spec.data.c_str(), 0755) != 0) throw HarnessError(spec.data + ": " + system_text(errno));
    resource_folder_ = ::open(spec.data.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    resource = resource_on(socket_in(resource_folder_));
    prefix.clear();
    resource_server_ = std::make_unique<TrialServer>([spec] { return start_mariadb(spec); });
    resource_server_->start();
    resource_server_->when_started([&](Process& server) { wait_for_socket(resource.socket, server, spec.log); });
    make_trial_database(resource);
  }
  stores_ = Stores(resource, prefix);
  lock_server_->prepare(plan_.lock);
  stores_.prepare(plan_);
  server_version_ = lock_server_->version();
}

Spawn TrialLab::client_on_target(Spawn spawn) const {
  spawn.argv.insert(spawn.argv.end(), {"--target", target_->text()});
  if (resource_folder_ >= 0) {
    spawn.descriptors[kFolderDescriptor] = resource_folder_;
    spawn.argv.insert(spawn.argv.end(), {"--resource-socket", socket_in(kFolderDescriptor)});
  }
  return spawn;
}

}  // namespace holdfast
