// Reads the file for `--hosts`: the hosts on which clients run their lock's program.
//
//   {"nodes": [{"run": "ssh left.example", "folder": "/opt/my_lock"},
//              {"name": "right", "run": "docker exec -i right", "server": "172.17.0.1:6379"}]}
//
// `run` is a command that, followed by the word `sh`, is a shell on that host connected to holdfast's standard input
// and output: ssh, docker exec -i, kubectl exec -i, nsenter. `folder` is the adapter's folder there; by default the
// same path as here. `server` is the lock's server as seen from that host, if its address differs from the target's.
// Clients are assigned to hosts in turn, by the number of their node.
//
// The file contains commands, so it is accepted on the command line only, never from a run's folder. Errors: BadInput
// with file, line, key and remedy.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct HostServer {
  std::string host;
  unsigned port = 0;
};

struct HostPlace {
  std::string name;              // for display; `run` if the file gives no name
  std::vector<std::string> run;  // the words of the command
  std::string folder;            // empty: the adapter's own
  std::optional<HostServer> server;
};

std::vector<HostPlace> read_hosts(const std::string& text, const std::string& file);
std::vector<HostPlace> load_hosts(const std::string& file);

// Returns the host of a client, by its node's number.
inline std::size_t host_of_node(std::size_t hosts, std::size_t node) {
  return node % hosts;
}

// "10.0.0.5:6379", "[::1]:6379"; throws BadInput.
HostServer host_server(const std::string& text);

}  // namespace holdfast
