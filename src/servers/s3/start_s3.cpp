#include "servers/s3/start_s3.hpp"

#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>

#include "artifact/error.hpp"
#include "servers/server_choice.hpp"

namespace holdfast {
namespace {

constexpr std::array<S3Program, 2> kS3Programs{
    {{.name = "versitygw", .title = "versitygw", .keeps = true},
     {.name = "moto_server", .title = "moto (an emulator in memory)", .keeps = false}}};

// `./run setup s3` installs into build/s3, beside the folder of this program.
std::optional<std::string> path_of_store(const std::string& name) {
  if (const auto chosen = chosen_server(name)) return chosen;
  const auto build = std::filesystem::path(own_program()).parent_path().parent_path();
  for (const auto& path : {build / "s3" / name, build / "s3" / "moto" / "bin" / name}) {
    if (::access(path.c_str(), X_OK) == 0) return path.string();
  }
  try {
    return find_program(name, name.c_str());
  } catch (const Unavailable&) {
    return std::nullopt;
  }
}

// versitygw keeps an ETag in an attribute of the file. A memory file system has such attributes since Linux 6.6;
// without them it needs a second folder, where a delete that races with a write can leave an object without an ETag.
bool has_attributes(const std::string& folder) {
  return ::setxattr(folder.c_str(), "user.holdfast", "", 0, 0) == 0;
}

std::vector<std::string> words_to_start(const std::string& name, const std::string& path, const S3Spec& spec) {
  const std::string port = std::to_string(kS3Port);
  if (name == "moto_server") return {path, "-H", "0.0.0.0", "-p", port};
  const std::string objects = spec.data + "/objects";
  if (has_attributes(objects)) return {path, "--port", ":" + port, "posix", objects};
  return {path, "--port", ":" + port, "posix", "--sidecar", spec.data + "/attributes", objects};
}

}  // namespace

const S3Program& s3_program() {
  for (const auto& program : kS3Programs) {
    if (chosen_server(program.name)) return program;
  }
  for (const auto& program : kS3Programs) {
    if (path_of_store(program.name)) return program;
  }
  throw Unavailable("no object store is installed; remedy: ./run setup s3");
}

Process start_s3(const S3Spec& spec) {
  const S3Program& program = s3_program();
  for (const char* folder : {"/attributes", "/objects"}) std::filesystem::create_directories(spec.data + folder);
  Spawn spawn;
  spawn.argv = words_to_start(program.name, *path_of_store(program.name), spec);
  spawn.environment["GOMAXPROCS"] = "2";  // a thread per processor would waste memory on a large machine
  spawn.environment["ROOT_ACCESS_KEY"] = kS3User;
  spawn.environment["ROOT_SECRET_KEY"] = kS3Secret;
  spawn.environment["VGW_QUIET"] = "true";
  spawn.environment["VGW_KEEP_ALIVE"] = "true";
  spawn.environment["PYTHONUNBUFFERED"] = "1";
  spawn.network = spec.network;
  spawn.log = spec.log;
  return spawn_process(spawn);
}

}  // namespace holdfast
