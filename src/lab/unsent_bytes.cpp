#include "lab/unsent_bytes.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

// As printed by the kernel: the bytes as a native number.
std::string in_table(const std::string& address) {
  in_addr parsed{};
  if (::inet_pton(AF_INET, address.c_str(), &parsed) != 1) throw HarnessError("'" + address + "' is not an IP address");
  return fmt::format("{:08X}", parsed.s_addr);
}

}  // namespace

// Format: "0: 0100007F:1F90 02004D0A:18EB 01 0000002A:00000000 ...": own and other address, state, unacknowledged
// bytes.
std::int64_t unsent_bytes_in(std::string_view table, const std::vector<std::string>& addresses) {
  std::vector<std::string> wanted;
  std::transform(addresses.begin(), addresses.end(), std::back_inserter(wanted), in_table);
  std::istringstream lines{std::string(table)};
  std::int64_t out = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, own, other, state, queues;
    if (!(words >> number >> own >> other >> state >> queues)) continue;
    if (std::find(wanted.begin(), wanted.end(), other.substr(0, other.find(':'))) == wanted.end()) continue;
    std::int64_t bytes = 0;
    const std::string unsent = queues.substr(0, queues.find(':'));
    constexpr int kHexadecimal = 16;
    std::from_chars(unsent.data(), unsent.data() + unsent.size(), bytes, kHexadecimal);
    out += bytes;
  }
  return out;
}

// A temporary thread enters the node's network.
std::int64_t unsent_bytes(const Node& node, const std::vector<std::string>& addresses) {
  std::string table;
  int error = 0;
  std::thread([&] {
    if (::setns(node.descriptor, CLONE_NEWNET) != 0) {
      error = errno;
      return;
    }
    std::ifstream in("/proc/thread-self/net/tcp");
    table.assign(std::istreambuf_iterator<char>(in), {});
  }).join();
  if (error != 0) throw HarnessError("connections of node " + node.name + ": setns: " + system_text(error));
  return unsent_bytes_in(table, addresses);
}

}  // namespace holdfast
