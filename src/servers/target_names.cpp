#include "servers/target_names.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::string_view kBegin = "holdfast_";
constexpr std::size_t kRunDigits = 8;
constexpr std::size_t kRun = kBegin.size() + kRunDigits;
constexpr std::size_t kMostTrialDigits = 9;
constexpr std::size_t kLongestTable = 64;  // of MySQL

bool digit(char c) {
  return c >= '0' && c <= '9';
}

bool hex_digit(char c) {
  return digit(c) || (c >= 'a' && c <= 'f');
}

bool word_character(char c) {
  return digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// How long the trial's prefix is that the name begins with; 0: it begins with none.
std::size_t prefix_length(std::string_view name) {
  if (!is_run_name(name.substr(0, kRun)) || name.size() <= kRun || name[kRun] != '_') return 0;
  std::size_t end = kRun + 1;
  while (end < name.size() && digit(name[end])) ++end;
  const std::size_t digits = end - kRun - 1;
  if (digits == 0 || digits > kMostTrialDigits || end == name.size() || name[end] != '_') return 0;
  return end + 1;
}

}  // namespace

bool is_run_name(std::string_view name) {
  if (name.size() != kRun || name.substr(0, kBegin.size()) != kBegin) return false;
  return std::all_of(name.begin() + kBegin.size(), name.end(), hex_digit);
}

bool is_trial_prefix(std::string_view name) {
  return !name.empty() && prefix_length(name) == name.size();
}

bool is_our_table(std::string_view name) {
  const std::size_t prefix = prefix_length(name);
  if (prefix == 0 || prefix == name.size() || name.size() > kLongestTable) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix), name.end(), word_character);
}

std::string run_of(std::string_view name) {
  return std::string(name.substr(0, kRun));
}

std::string quoted_name(std::string_view name) {
  std::string out = "`";
  for (const char c : name) out += c == '`' ? std::string("``") : std::string(1, c);
  return out + "`";
}

}  // namespace holdfast
