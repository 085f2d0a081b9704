#include "servers/etcd/start_etcd.hpp"

#include "servers/server_choice.hpp"

namespace holdfast {
namespace {

constexpr const char* kPeerPort = ":2380";

std::string name_of(std::size_t number) {
  return "s" + std::to_string(number);
}

std::string all_members(const EtcdSpec& spec) {
  std::string out;
  for (std::size_t n = 0; n < spec.members.size(); ++n) {
    out += (out.empty() ? "" : ",") + name_of(n) + "=http://" + spec.members[n] + kPeerPort;
  }
  return out;
}

}  // namespace

Process start_etcd(const EtcdSpec& spec) {
  const std::string& own = spec.members.at(spec.number);
  Spawn spawn;
  spawn.argv = {find_server("etcd", "etcd", {"etcd-server", "etcd"}),
                "--name",
                name_of(spec.number),
                "--data-dir",
                spec.data,
                "--listen-client-urls",
                "http://0.0.0.0:" + std::to_string(kEtcdPort),  // the address itself may not exist yet
                "--advertise-client-urls",
                "http://" + own + ":" + std::to_string(kEtcdPort),
                "--listen-peer-urls",
                std::string("http://0.0.0.0") + kPeerPort,
                "--initial-advertise-peer-urls",
                "http://" + own + kPeerPort,
                "--initial-cluster",
                all_members(spec),
                "--heartbeat-interval",
                "100",
                "--election-timeout",
                "1000",
                "--logger",
                "zap",
                "--log-outputs",
                "stderr"};
  spawn.environment["GOMAXPROCS"] = "2";  // a thread per processor would waste memory on a large machine
  spawn.network = spec.network;
  spawn.log = spec.log;
  return spawn_process(spawn);
}

}  // namespace holdfast
