#include "history/otlp_request.hpp"

#include <algorithm>
#include <charconv>

#include "artifact/error.hpp"
#include "history/event.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShown = 64;  // bytes of a name in a message

// Null: absent.
const Json* member(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

const Json& checked(const Json& value, Json::value_t type, const char* name) {
  if (value.type() == type) return value;
  throw BadInput(std::string(name) + ": expected " + (type == Json::value_t::array ? "a list" : "an object"));
}

template <typename Visit>
void each(const Json& object, const char* name, const Visit& visit) {
  const Json* const list = member(object, name);
  if (list == nullptr) return;
  for (const Json& item : checked(*list, Json::value_t::array, name)) {
    visit(checked(item, Json::value_t::object, name));
  }
}

// The value of {"stringValue": "x"}, {"intValue": "3"}, ...; lists and maps have none.
std::optional<std::string> text_of(const Json& value) {
  for (const char* type : {"stringValue", "intValue", "boolValue", "doubleValue"}) {
    const Json* const one = value.is_object() ? member(value, type) : nullptr;
    if (one == nullptr || one->is_structured()) continue;
    return one->is_string() ? one->get<std::string>() : one->dump();
  }
  return std::nullopt;
}

std::optional<std::string> attribute_of(const Json& owner, const std::string& name) {
  std::optional<std::string> out;
  each(owner, "attributes", [&](const Json& attribute) {
    const Json* const key = member(attribute, "key");
    if (out || key == nullptr || !key->is_string() || key->get_ref<const std::string&>() != name) return;
    if (const Json* const value = member(attribute, "value")) out = text_of(*value);
  });
  return out;
}

}  // namespace

bool is_otlp(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] != '{') return false;
  const auto quote = line.find_first_not_of(" \t", first + 1);
  if (quote == std::string_view::npos || line[quote] != '"') return false;
  const std::string_view rest = line.substr(quote + 1);
  const auto begins = [&](std::string_view word) { return rest.substr(0, word.size()) == word; };
  return begins("resourceSpans\"") || begins("resourceLogs\"") || begins("resourceMetrics\"");
}

std::string OtlpSpan::text(const char* field) const {
  const Json* const value = member(span_, field);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

void OtlpSpan::refuse(const std::string& why) const {
  throw BadInput("span " + name().substr(0, kShown) + " (spanId " + text("spanId").substr(0, kShown) + "): " + why);
}

const std::string& OtlpSpan::name() const {
  static const std::string kNone;
  const Json* const name = member(span_, "name");
  return name != nullptr && name->is_string() ? name->get_ref<const std::string&>() : kNone;
}

std::int64_t OtlpSpan::time_ns(const char* field) const {
  const Json* const value = member(span_, field);
  const std::string digits = value == nullptr ? "" : value->is_string() ? value->get<std::string>() : value->dump();
  std::int64_t ns = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ns);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || ns <= 0 || ns > kMaxTimeNs) {
    refuse(std::string(field) + ": expected nanoseconds since 1970, as a string of digits");
  }
  return ns;
}

bool OtlpSpan::failed() const {
  const Json* const status = member(span_, "status");
  const Json* const code = status != nullptr && status->is_object() ? member(*status, "code") : nullptr;
  return code != nullptr && (*code == 2 || *code == "STATUS_CODE_ERROR");
}

std::uint64_t OtlpSpan::identity() const {
  const std::string id = text("spanId");
  const std::string of = id.empty() ? name() + text("startTimeUnixNano") + "/" + text("endTimeUnixNano") : id;
  return std::hash<std::string>{}(of + text("traceId"));
}

std::optional<std::string> OtlpSpan::attribute(const std::string& name) const {
  auto own = attribute_of(span_, name);
  return own || resource_ == nullptr ? own : attribute_of(*resource_, name);
}

bool OtlpSpan::matches(const SpanPattern& pattern) const {
  if (!pattern.name.empty() && pattern.name != name()) return false;
  return std::all_of(pattern.attributes.begin(), pattern.attributes.end(),
                     [this](const auto& wanted) { return attribute(wanted.first) == wanted.second; });
}

bool OtlpSpan::matches(const SpanPatterns& patterns) const {
  return std::any_of(patterns.begin(), patterns.end(), [this](const auto& pattern) { return matches(pattern); });
}

void for_spans(const Json& request, const std::function<void(const OtlpSpan&)>& visit) {
  each(request, "resourceSpans", [&](const Json& of_resource) {
    const Json* const resource = member(of_resource, "resource");
    if (resource != nullptr) checked(*resource, Json::value_t::object, "resource");
    each(of_resource, "scopeSpans", [&](const Json& of_scope) {
      each(of_scope, "spans", [&](const Json& span) { visit(OtlpSpan(span, resource)); });
    });
  });
}

}  // namespace holdfast
