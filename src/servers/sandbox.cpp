#include "servers/sandbox.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

Unavailable unavailable(const Target& target, const std::string& why) {
  return Unavailable("the target " + target.place() + ": " + why +
                     "; remedy: mend it until this answers: " + server_type(target.server).client_command(target));
}

// StatementFailed and HarnessError are both what the server did.
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
  return out + ": named like holdfast's, and not holdfast's; left alone";
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
