// The hosts on which clients run their lock's program, as a file names them for `--hosts`:
//
//   {"nodes": [{"run": "ssh left.example", "folder": "/opt/my_lock"},
//              {"name": "right", "run": "docker exec -i right", "server": "172.17.0.1:6379"}]}
//
// `run` is a command that, with the word `sh` after it, is a shell on that host with our standard input and output:
// ssh, docker exec -i, kubectl exec -i, nsenter. `folder` is where the adapter lies there, the same path as here if it
// is left out. `server` is the lock's server as that host reaches it, if that is another address than the target's.
// Clients take the hosts in turn, by the number of their node.
//
// Such a file names commands, so it is read from the command line only, and never from a run's folder.
// Errors: BadInput with file, line, key and remedy.
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
  std::string name;              // for people; `run` itself, where the file gives none
  std::vector<std::string> run;  // the words of the command
  std::string folder;            // empty: the adapter's own
  std::optional<HostServer> server;
};

std::vector<HostPlace> read_hosts(const std::string& text, const std::string& file);
std::vector<HostPlace> load_hosts(const std::string& file);

// The host of a client, by its node's number.
inline std::size_t host_of_node(std::size_t hosts, std::size_t node) {
  return node % hosts;
}

// "10.0.0.5:6379", "[::1]:6379"; throws BadInput.
HostServer host_server(const std::string& text);

}  // namespace holdfast
