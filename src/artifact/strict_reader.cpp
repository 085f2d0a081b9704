#include "artifact/strict_reader.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "artifact/json_text.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

bool integer_within(const Json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return false;
  const auto number = value.get<std::int64_t>();
  return number >= least && number <= most;
}

bool whole_number(const std::string& word, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::string JsonPlace::path() const {
  if (above_ == nullptr) return "";
  const std::string before = above_->path();
  if (key_.data() == nullptr) return before + "[" + std::to_string(index_) + "]";
  return before + (before.empty() ? "" : ".") + std::string(key_);
}

void JsonPlace::refuse(const std::string& why) const {
  throw StrictReaderError(valid_utf8(path()), valid_utf8(why));
}

void JsonPlace::expect(Json::value_t type, const char* expected) const {
  if (value_->type() != type) refuse(std::string("expected ") + expected);
}

const std::string& JsonPlace::text() const {
  expect(Json::value_t::string, "a string");
  return value_->get_ref<const std::string&>();
}

bool JsonPlace::boolean() const {
  expect(Json::value_t::boolean, "true or false");
  return value_->get<bool>();
}

double JsonPlace::real() const {
  if (!value_->is_number()) refuse("expected a number");
  const double number = value_->get<double>();
  if (!std::isfinite(number) || number < 0) refuse("expected a number of at least 0");
  return number;
}

std::int64_t JsonPlace::integer(std::int64_t least, std::int64_t most) const {
  if (!integer_within(*value_, least, most)) {
    refuse("expected an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value_->get<std::int64_t>();
}

std::uint64_t JsonPlace::digits() const {
  std::uint64_t number = 0;
  if (!whole_number(text(), number)) refuse("expected digits of an unsigned 64-bit number");
  return number;
}

StrictReader::StrictReader(const JsonPlace& place) : place_(place) {
  if (!place_.value().is_object()) place_.refuse("expected an object");
}

JsonPlace StrictReader::at(std::string_view key) {
  known_.emplace(key);
  const auto found = place_.value().find(key);
  if (found == place_.value().end()) refuse(key, "missing");
  return JsonPlace(*found, place_, key);
}

void StrictReader::refuse(std::string_view key, const std::string& why) const {
  JsonPlace(place_.value(), place_, key).refuse(why);
}

void StrictReader::form(const char* key, std::int64_t version, const char* was) {
  const bool old = was != nullptr && has(was);
  const std::int64_t found = old ? version - 1 : at(key).integer(0, INT64_MAX);
  if (found < version) refuse(old ? was : key, older_form(found, version));
  if (found > version)
    refuse(key, "form " + std::to_string(found) + " was written by a newer holdfast; this version reads " +
                    std::to_string(version));
}

void StrictReader::finish() const {
  for (const auto& [key, value] : place_.value().items()) {
    if (!known_.contains(key)) refuse(key, "unknown key");
  }
}

}  // namespace holdfast
