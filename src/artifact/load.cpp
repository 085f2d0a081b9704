#include "artifact/load.hpp"

#include <algorithm>
#include <numeric>

namespace holdfast {
namespace {

constexpr const char* kNull = "<NULL>";

}  // namespace

std::int64_t lease_ms_of(const Load& load, std::uint32_t client) {
  return load.leases_ms.empty() ? load.lease_ms : load.leases_ms[client % load.leases_ms.size()];
}

bool shares(const Load& load, std::uint32_t client) {
  return load.mode[client % load.mode.size()] == "shared";
}

bool has_readers(const Load& load) {
  return std::find(load.mode.begin(), load.mode.end(), "shared") != load.mode.end();
}

std::int64_t zone_s_of(const Load& load, std::uint32_t client) {
  const std::string& zone = load.program_zone[client % load.program_zone.size()];  // "+08:00"
  const std::int64_t minutes = std::stoll(zone.substr(1, 2)) * 60 + std::stoll(zone.substr(4, 2));
  return (zone[0] == '-' ? -60 : 60) * minutes;
}

KeyText key_text(const Load& load, std::int64_t key) {
  if (load.key_texts.empty()) return "k" + std::to_string(key);
  return load.key_texts.at(static_cast<std::size_t>(key));
}

std::string key_name(const Load& load, std::int64_t key) {
  return key_text(load, key).value_or(kNull);
}

std::vector<std::string> key_names(const Load& load) {
  std::vector<std::string> out;
  for (std::int64_t key = 0; key < load.keys; ++key) out.push_back(key_name(load, key));
  return out;
}

std::vector<std::uint32_t> keys_of_client(const Load& load, std::uint32_t client) {
  std::vector<std::uint32_t> out;
  if (load.keys_of.empty()) {
    out.resize(static_cast<std::size_t>(load.keys));
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
  for (const auto& text : load.keys_of[client % load.keys_of.size()]) {
    std::uint32_t key = 0;
    while (key_text(load, key) != text) ++key;  // it is in the list: reading checked that
    out.push_back(key);
  }
  return out;
}

}  // namespace holdfast
