// Reads the parts of an ExportTraceServiceRequest, as OTLP/JSON, that spans of a lock need: names, times, the status
// and attributes.
//
//   for_spans(parse(text), [&](const OtlpSpan& span) { if (span.name() == "lock.acquire") ... });
//
// Unknown fields are ignored. Throws BadInput with the bare reason ("spans: expected a list").
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "history/otlp_mapping.hpp"

namespace holdfast {

// Returns true if a log's line begins as a request of OpenTelemetry: of traces, logs or metrics.
bool is_otlp(std::string_view line);

class OtlpSpan {
 public:
  OtlpSpan(const nlohmann::json& span, const nlohmann::json* resource) : span_(span), resource_(resource) {}

  const std::string& name() const;
  std::int64_t time_ns(const char* field) const;
  bool failed() const;  // its status is ERROR
  // A number for the span's id, for equality; spans without an id have those of their names and times.
  std::uint64_t identity() const;
  // The text of an attribute's value, of the span or else of its resource.
  std::optional<std::string> attribute(const std::string& name) const;
  bool matches(const SpanPattern& pattern) const;
  bool matches(const SpanPatterns& patterns) const;
  [[noreturn]] void refuse(const std::string& why) const;  // names the span

 private:
  std::string text(const char* field) const;

  const nlohmann::json& span_;
  const nlohmann::json* resource_;  // null: none
};

void for_spans(const nlohmann::json& request, const std::function<void(const OtlpSpan&)>& visit);

}  // namespace holdfast
