#include "servers/zookeeper/start_zookeeper.hpp"

#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "servers/server_choice.hpp"

namespace holdfast {
namespace {

constexpr const char* kServerJar = "/usr/share/java/zookeeper.jar";     // its manifest names the other required ones
constexpr const char* kLoggerJar = "/usr/share/java/slf4j-simple.jar";  // without it, no log is written

std::string configuration(const ZooKeeperSpec& spec) {
  std::string out = "dataDir=" + spec.data + "\nclientPort=" + std::to_string(kZooKeeperPort) +
                    "\ntickTime=" + std::to_string(kZooKeeperTick_ms) +
                    "\ninitLimit=10\nsyncLimit=5\nmaxClientCnxns=0\nadmin.enableServer=false\n"
                    "4lw.commands.whitelist=srvr,mntr\n";
  if (spec.members.size() == 1) return out;
  for (std::size_t n = 0; n < spec.members.size(); ++n) {
    out += "server." + std::to_string(n + 1) + "=" + spec.members[n] + ":2888:3888\n";
  }
  return out;
}

}  // namespace

Process start_zookeeper(const ZooKeeperSpec& spec) {
  const std::string java = find_server("java", "java", {"default-jre-headless", "java-17-openjdk-headless"});
  if (!std::filesystem::exists(kServerJar)) {
    throw Unavailable(std::string(kServerJar) + " is missing; remedy: apt-get install zookeeper");
  }
  std::filesystem::create_directories(spec.data);
  write_text_file(spec.data + "/myid", std::to_string(spec.number + 1) + "\n");
  write_text_file(spec.data + "/zoo.cfg", configuration(spec));
  Spawn spawn;
  spawn.argv = {java,
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",  // it lives for seconds: long compilations never pay off
                "-XX:-UsePerfData",         // a file in /tmp, which a kill would leave
                "-Dzookeeper.preAllocSize=1024",
                "-cp",
                std::string(kServerJar) + ":" + kLoggerJar,
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                spec.data + "/zoo.cfg"};
  spawn.network = spec.network;
  spawn.log = spec.log;
  return spawn_process(spawn);
}

}  // namespace holdfast
