// Says which OpenTelemetry spans are calls of a lock, and where their attributes have the key, the holder and the
// outcome.
//
//   const OtlpMapping usual;                                        // docs/own_log.md has its table
//   const OtlpMapping own = read_otlp_mapping("mapping.json");      // keys that are absent stay as in the usual one
//
// Throws BadInput with file, line and path.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "artifact/json_key.hpp"

namespace holdfast {

// Matches spans with this name (empty: any) and these values of attributes, as text: "busy", "true", "3".
struct SpanPattern {
  std::string name;
  std::map<std::string, std::string> attributes;
  bool operator==(const SpanPattern&) const = default;
};

using SpanPatterns = std::vector<SpanPattern>;

struct OtlpMapping {
  SpanPatterns acquire{{"lock.acquire", {}}};
  SpanPatterns renew{{"lock.renew", {}}};
  SpanPatterns release{{"lock.release", {}}};

  // The first that matches is the outcome. Otherwise a span with the status ERROR is unknown, and another one `ok`, if
  // `ok` has no patterns.
  SpanPatterns busy{{"", {{"lock.outcome", "busy"}}}};
  SpanPatterns not_held{{"", {{"lock.outcome", "not_held"}}}};
  SpanPatterns fail{{"", {{"lock.outcome", "fail"}}}};
  SpanPatterns info{{"", {{"lock.outcome", "info"}}}};
  SpanPatterns ok;

  SpanPatterns shared{{"", {{"lock.mode", "shared"}}}};
  SpanPatterns background{{"", {{"lock.background", "true"}}}};  // renewals by a watchdog

  std::vector<std::string> key{"lock.key", "lock.name"};  // the first that a span has
  // The first group of which a span, or its resource, has all; joined by '/'.
  std::vector<std::vector<std::string>> holder{{"lock.holder"},
                                               {"service.instance.id", "thread.id"},
                                               {"service.instance.id"},
                                               {"host.name", "process.pid", "thread.id"},
                                               {"host.name", "process.pid"}};
  std::string token = "lock.token";
  std::string lease_ms = "lock.lease_ms";
};

const std::vector<JsonKey<OtlpMapping>>& otlp_mapping_keys();
Schema otlp_mapping_schema();
OtlpMapping read_otlp_mapping(const std::string& text, const std::string& file);
OtlpMapping read_otlp_mapping(const InputFile& file);

}  // namespace holdfast
