#include "servers/sandbox.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"
#include "servers/server_type.hpp"

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

// Length of the trial's prefix in the name; 0: none.
std::size_t prefix_length(std::string_view name) {
  if (!is_run_name(name.substr(0, kRun)) || name.size() <= kRun || name[kRun] != '_') return 0;
  std::size_t end = kRun + 1;
  while (end < name.size() && digit(name[end])) ++end;
  const std::size_t digits = end - kRun - 1;
  if (digits == 0 || digits > kMostTrialDigits || end == name.size() || name[end] != '_') return 0;
  return end + 1;
}

Unavailable unavailable(const Target& target, const std::string& why) {
  return Unavailable("the target " + target.place() + ": " + why + "; remedy: repair it until this command succeeds: " +
                     server_type(target.server).client_command(target));
}

// Both StatementFailed and HarnessError may come from the server.
template <class Ask>
auto or_unavailable(const Target& target, Ask ask) {
  try {
    return ask();
  } catch (const StatementFailed& failed) {
    throw unavailable(target, failed.what());
  } catch (const HarnessError& failed) {
    throw unavailable(target, failed.what());
  }
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

std::string quoted_name(std::string_view name, char quote) {
  std::string out(1, quote);
  for (const char c : name) out += std::string(c == quote ? 2 : 1, c);
  return out + quote;
}

std::string named(const std::string& name) {
  return fitted(name, kMostOfName);
}

std::string told(const std::vector<std::string>& foreign) {
  constexpr std::size_t kMostNames = 5;
  if (foreign.empty()) return "";
  std::string out;
  for (std::size_t i = 0; i < std::min(foreign.size(), kMostNames); ++i) {
    out += (i == 0 ? "'" : ", '") + named(foreign[i]) + "'";
  }
  if (foreign.size() > kMostNames) out += " and " + std::to_string(foreign.size() - kMostNames) + " more";
  return out + (foreign.size() > 1 ? ": have names like holdfast's data, but do not belong to holdfast; not removed"
                                   : ": has a name like holdfast's data, but does not belong to holdfast; not removed");
}

std::string new_run_name() {
  char text[32];
  std::random_device random;
  std::snprintf(text, sizeof text, "holdfast_%08x", random());
  return text;
}

std::unique_ptr<Sandbox> open_sandbox(const Target& target, const std::string& run) {
  const ServerType& type = server_type(target.server);
  if (type.sandbox == nullptr) throw BadInput(std::string("--target: ") + type.title + " cannot be a target");
  return or_unavailable(target, [&] { return type.sandbox(target, run); });
}

Sweep swept(Sandbox& place) {
  return or_unavailable(place.target(), [&place] { return place.sweep(); });
}

std::unique_ptr<Sandbox> visit_sandbox(const Target& target) {
  return open_sandbox(target, "");
}

}  // namespace holdfast
