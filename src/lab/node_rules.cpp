// What faults do to a node's network: rules, counters of what they dropped, delays.
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr const char* kTable = "inet holdfast";

}  // namespace

void Network::filter(const Node& node, const std::string& rules) const {
  const std::string table = std::string("table ") + kTable;
  Spawn spawn;
  spawn.argv = {find_program("nft", "nftables"), "-f", "-"};
  // Making the table first lets the deletion succeed whether it was there or not; the text is one transaction.
  spawn.input = table + " {}\ndelete " + table + "\n" + (rules.empty() ? "" : table + " {\n" + rules + "}\n");
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.log = log_;
  run_program(spawn);
}

std::int64_t Network::dropped(const Node& node) const {
  const std::string text = output_of(node, {find_program("nft", "nftables"), "-j", "list", "ruleset"});
  const auto rules = text.empty() ? nlohmann::json::object() : parse_json(text, "nft -j list ruleset");
  std::int64_t packets = 0;
  for (const auto& item : rules.value("nftables", nlohmann::json::array())) {
    if (!item.contains("rule")) continue;
    for (const auto& part : item["rule"].value("expr", nlohmann::json::array())) {
      if (part.contains("counter")) packets += part["counter"].value("packets", std::int64_t{0});
    }
  }
  return packets;
}

bool Network::delay(const Node& node, std::int64_t ms) const {
  Spawn spawn;
  spawn.argv = {
      find_program("tc", {"iproute2", "iproute"}), "qdisc", ms > 0 ? "replace" : "del", "dev", "eth0", "root"};
  if (ms > 0) spawn.argv.insert(spawn.argv.end(), {"netem", "delay", std::to_string(ms) + "ms"});
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.log = log_;
  return spawn_process(spawn).wait(-1) == 0;
}

std::string Network::output_of(const Node& node, const std::vector<std::string>& argv) const {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError("pipe: " + system_text(errno));
  Spawn spawn;
  spawn.argv = argv;
  spawn.network = node.descriptor;
  spawn.privileged = true;
  spawn.descriptors[STDOUT_FILENO] = line[1];
  Process process;
  try {
    process = spawn_process(spawn);
  } catch (...) {
    ::close(line[0]);
    ::close(line[1]);
    throw;
  }
  ::close(line[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(line[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  ::close(line[0]);
  process.wait(-1);
  return text;
}

}  // namespace holdfast
