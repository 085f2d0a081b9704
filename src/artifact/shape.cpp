#include "artifact/shape.hpp"

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

Shape::Shape(const Json& value, std::string path) : value_(value), path_(std::move(path)) {
  if (!value_.is_object()) throw ShapeRefusal(valid_utf8(path_), "expected an object");
}

std::string Shape::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void Shape::refuse(const std::string& key, const std::string& why) const {
  throw ShapeRefusal(valid_utf8(path_of(key)), valid_utf8(why));
}

void Shape::form(const char* key, std::int64_t version, const char* was) {
  const bool old = was != nullptr && value_.contains(was);
  const std::int64_t found = old ? version - 1 : integer(key, 0);
  if (found < version) refuse(old ? was : key, older_form(found, version));
  if (found > version)
    refuse(key, "form " + std::to_string(found) + " was written by a newer holdfast; this one reads " +
                    std::to_string(version));
}

const Json& Shape::take(const char* key) {
  known_.insert(key);
  const auto found = value_.find(key);
  if (found == value_.end()) refuse(key, "missing");
  return *found;
}

const Json& Shape::take(const char* key, Json::value_t type, const char* expected) {
  const Json& value = take(key);
  if (value.type() != type) refuse(key, std::string("expected ") + expected);
  return value;
}

std::string Shape::text(const char* key) {
  return take(key, Json::value_t::string, "a string").get<std::string>();
}

bool Shape::boolean(const char* key) {
  return take(key, Json::value_t::boolean, "true or false").get<bool>();
}

double Shape::real(const char* key) {
  const Json& value = take(key);
  if (!value.is_number()) refuse(key, "expected a number");
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < 0) refuse(key, "expected a number that is not negative");
  return number;
}

std::int64_t Shape::integer(const char* key, std::int64_t least, std::int64_t most) {
  const Json& value = take(key);
  if (!integer_within(value, least, most)) {
    refuse(key, "expected an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<std::int64_t>();
}

std::uint64_t Shape::unsigned64(const char* key) {
  const Json& value = take(key);
  if (!value.is_number_unsigned()) refuse(key, "expected an integer from 0 on");
  return value.get<std::uint64_t>();
}

std::uint64_t Shape::digits(const char* key) {
  std::uint64_t number = 0;
  if (!whole_number(text(key), number)) refuse(key, "expected digits of an unsigned 64-bit number");
  return number;
}

std::vector<std::uint64_t> Shape::digits_list(const char* key) {
  std::vector<std::uint64_t> out;
  for (const auto& word : texts(key)) {
    if (!whole_number(word, out.emplace_back())) refuse(key, "expected digits of unsigned 64-bit numbers");
  }
  return out;
}

std::vector<std::uint64_t> Shape::numbers(const char* key, std::uint64_t most) {
  std::vector<std::uint64_t> out;
  for (const auto& item : take(key, Json::value_t::array, "an array of integers")) {
    if (!integer_within(item, 0, static_cast<std::int64_t>(most))) refuse(key, "expected an array of integers");
    out.push_back(item.get<std::uint64_t>());
  }
  return out;
}

std::vector<std::string> Shape::texts(const char* key) {
  std::vector<std::string> out;
  for (const auto& item : take(key, Json::value_t::array, "an array of strings")) {
    if (!item.is_string()) refuse(key, "expected an array of strings");
    out.push_back(item.get<std::string>());
  }
  return out;
}

std::map<std::string, std::int64_t> Shape::counts(const char* key) {
  std::map<std::string, std::int64_t> out;
  for (const auto& [name, count] : take(key, Json::value_t::object, "an object of integers").items()) {
    if (!integer_within(count, INT64_MIN, INT64_MAX)) refuse(key, "expected an object of integers");
    out[name] = count.get<std::int64_t>();
  }
  return out;
}

std::map<std::string, std::string> Shape::words(const char* key) {
  std::map<std::string, std::string> out;
  for (const auto& [name, word] : take(key, Json::value_t::object, "an object of strings").items()) {
    if (!word.is_string()) refuse(key, "expected an object of strings");
    out[name] = word.get<std::string>();
  }
  return out;
}

Shape Shape::object(const char* key) {
  return Shape(take(key, Json::value_t::object, "an object"), path_of(key));
}

bool Shape::nothing(const char* key) {
  return take(key).is_null();
}

void Shape::finish() const {
  for (const auto& [key, value] : value_.items()) {
    if (!known_.contains(key)) refuse(key, "unknown key");
  }
}

}  // namespace holdfast
