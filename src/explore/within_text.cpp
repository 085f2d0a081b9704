#include "explore/within_text.hpp"

#include "explore/explorer.hpp"

namespace holdfast {
namespace {

std::string several(std::int64_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string lease_text(const Explored& explored) {
  if (!explored.lease) return "no lease";
  const std::int64_t asked_ms = explored.job.settings.lease_ms;
  const std::string rounded = " (rounded to whole seconds for its interface from " + std::to_string(asked_ms) + ")";
  return "lease " + std::to_string(explored.promised_lease_ms) + " ms" +
         (explored.promised_lease_ms == asked_ms ? "" : rounded);
}

// Differences from a plain client.
std::string load_text(const ExploreSettings& settings) {
  std::string out;
  if (settings.shared_address) out += ", one address for all";
  if (settings.server_id == "one") out += ", one server id for all";
  if (settings.value != "bare") out += ", values with the caller's own id";
  if (settings.reenter) out += ", holders acquire again";
  if (settings.fine) out += ", answers arrive as separate steps";
  return out;
}

std::string bounds_with(const ExploreJob& job, const std::string& lease) {
  const ExploreSettings& s = job.settings;
  const Cost& bounds = job.limits.bounds;
  return several(s.clients, "client") + ", " + several(s.rounds, "round") + " of " + several(s.attempts, "attempt") +
         ", at most " + several(bounds.preemptions, "preemption") + ", " + several(bounds.time_jumps, "time jump") +
         " and " + several(bounds.faults, "fault") + "; " + lease + ", start " + std::to_string(s.fraction_ms) +
         " ms after a whole second" + load_text(s);
}

std::vector<std::string> not_explored_at_requests(const Explored& explored) {
  std::vector<std::string> out;
  if (!explored.numbers.complete) {
    out.push_back("within the bounds, " + several(static_cast<std::int64_t>(explored.numbers.left), "schedule") +
                  " that the search knew of but did not run, and their continuations");
  }
  if (explored.job.settings.clients < 2) out.emplace_back("two clients at once: there is only one client");
  out.emplace_back("anything beyond the bounds, such as one more fault");
  if (explored.lease) out.emplace_back("other leases (--lease)");
  out.emplace_back("threads inside the library, and orders within a request");
  if (explored.at_requests->diverged > 0) {
    out.push_back(several(static_cast<std::int64_t>(explored.at_requests->diverged), "schedule") +
                  " in which a different request came than before");
  }
  if (explored.at_requests->died > 0) {
    out.push_back(several(static_cast<std::int64_t>(explored.at_requests->died), "schedule") +
                  " in which an adapter ended by itself: " + explored.at_requests->last_death);
  }
  out.emplace_back("values that a library keeps internally, with requests that change nothing in a different order");
  out.emplace_back(
      "requests that arrive twice, stopped clients, wrong clocks, server faults: use holdfast run for those");
  out.emplace_back("the rest of a schedule after its violation");
  return out;
}

}  // namespace

std::string within_text(const Explored& explored) {
  const std::string bounds = bounds_with(explored.job, lease_text(explored));
  return explored.at_requests ? bounds + ", " + explored.at_requests->at : bounds;
}

std::string within_text(const ExploreJob& job) {
  return bounds_with(job, "lease " + std::to_string(job.settings.lease_ms) + " ms");
}

std::vector<std::string> not_explored(const Explored& explored) {
  if (explored.at_requests) return not_explored_at_requests(explored);
  const ExploreSettings& s = explored.job.settings;
  std::vector<std::string> out;
  if (!explored.numbers.complete) {
    out.push_back("within the bounds, " + several(static_cast<std::int64_t>(explored.numbers.left), "schedule") +
                  " that the search knew of but did not run, and their continuations");
  }
  if (s.clients < 2) out.emplace_back("two clients at once: there is only one client");
  out.emplace_back("anything beyond the bounds, such as one more fault");
  if (explored.lease) out.emplace_back("other leases (--lease)");
  out.emplace_back("other fractions of a second (--fraction)");
  // State kept in a client's object between attempts was followed; an object without members keeps nothing.
  if (!explored.lock_keeps_nothing) {
    out.emplace_back("state that the lock keeps outside a client's object (static variables, globals)");
  }
  std::string loads;
  const auto add = [&loads](bool missing, const char* text) {
    if (missing) loads += (loads.empty() ? "" : ", ") + std::string(text);
  };
  add(!s.shared_address, "clients with one address (--shared-address)");
  add(!s.reenter, "holders that acquire again (--reenter)");
  add(!s.fine, "time between an answer and the client's next step (--fine)");
  if (!loads.empty()) out.push_back(loads);
  out.emplace_back("server faults and replicas: use holdfast run for those");
  out.emplace_back("the rest of a schedule after its violation");
  return out;
}

}  // namespace holdfast
