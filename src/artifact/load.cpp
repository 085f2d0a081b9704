#include "artifact/load.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace holdfast {
namespace {

constexpr const char* kNull = "<NULL>";

nlohmann::json to_json(const KeyText& key) {
  return key ? nlohmann::json(*key) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const std::vector<KeyText>& keys) {
  auto out = nlohmann::json::array();
  for (const auto& key : keys) out.push_back(to_json(key));
  return out;
}

// Only where they are not the usual.
void put_turns(nlohmann::json& out, const Load& load) {
  if (!load.isolation.empty()) out["isolation"] = load.isolation;
  if (load.tick_ms > 0) out["tick_ms"] = load.tick_ms;
  if (load.program_zone != Load{}.program_zone) out["program_zone"] = load.program_zone;
  if (load.align_ms >= 0) out["align_ms"] = load.align_ms;
  if (!load.key_texts.empty()) out["keys"] = to_json(load.key_texts);
  if (!load.leases_ms.empty()) out["lease_ms"] = load.leases_ms;
  if (!load.asked_leases_ms.empty()) out["asked_leases_ms"] = load.asked_leases_ms;
  if (!load.owners.empty()) out["owners"] = load.owners;
  if (!load.values.empty()) out["values"] = load.values;
  if (load.threads != 1) out["threads"] = load.threads;
  if (load.keys_at_once != 1) out["keys_at_once"] = load.keys_at_once;
  for (const auto& keys : load.keys_of) out["keys_of"].push_back(to_json(keys));
}

}  // namespace

nlohmann::json to_json(const Load& load) {
  nlohmann::json out{{"clients", load.clients},
                     {"keys", load.keys},
                     {"lease_ms", load.lease_ms},
                     {"hold_ms", {load.hold_ms.least, load.hold_ms.most}},
                     {"pause_ms", {load.pause_ms.least, load.pause_ms.most}},
                     {"poll_ms", load.poll_ms},
                     {"poll_aligned", load.poll_aligned},
                     {"duration_ms", load.duration_ms},
                     {"progress_bound_ms", load.progress_bound_ms},
                     {"silence_ms", load.silence_ms},
                     {"shared_addresses", load.shared_addresses},
                     {"after_info", load.after_info},
                     {"time_zone", load.time_zone},
                     {"reads", load.reads},
                     {"connects", load.connects},
                     {"server_id", load.server_id},
                     {"value", load.value},
                     {"reenter", load.reenter}};
  put_turns(out, load);
  return out;
}

std::int64_t lease_ms_of(const Load& load, std::uint32_t client) {
  return load.leases_ms.empty() ? load.lease_ms : load.leases_ms[client % load.leases_ms.size()];
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
    while (key_text(load, key) != text) ++key;  // it is one of them: that was seen when it was read
    out.push_back(key);
  }
  return out;
}

}  // namespace holdfast
