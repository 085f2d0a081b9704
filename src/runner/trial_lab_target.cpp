// TrialLab where the lock's server is a target, one of the user's own.
#include <fcntl.h>

#include "runner/trial_lab.hpp"

namespace holdfast {
namespace {

constexpr int kFolderDescriptor = 4;  // of a client

}  // namespace

void TrialLab::start_on_target() {
  lock_server_ = type_.on_target(*target_);
  lock_server_->prepare(lock_file(parse_lock_ref(plan_.lock).lock));
  if (type_.holds_resource()) {
    make_resource({"", "", target_});
  } else {
    const std::string data = folder_ + "/lab/resource";
    start_resource_server({data, folder_ + "/server-resource.log"});
    resource_folder_ = ::open(data.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    make_resource({"", resource_type_.resource.socket(resource_folder_), {}});
  }
  server_version_ = lock_server_->version();
}

Spawn TrialLab::client_on_target(Spawn spawn) const {
  spawn.argv.insert(spawn.argv.end(), {"--target", target_->text()});
  if (resource_folder_ >= 0) {
    spawn.descriptors[kFolderDescriptor] = resource_folder_;
    spawn.argv.insert(spawn.argv.end(), {"--resource-socket", resource_type_.resource.socket(kFolderDescriptor)});
  }
  return spawn;
}

}  // namespace holdfast
