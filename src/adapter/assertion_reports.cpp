#include "adapter/assertion_reports.hpp"

#include <optional>
#include <utility>

#include "artifact/visible.hpp"

namespace holdfast {
namespace {

std::optional<AssertionKind> kind_of(MessageName name) {
  if (name == MessageName::always) return AssertionKind::always;
  if (name == MessageName::sometimes) return AssertionKind::sometimes;
  if (name == MessageName::reached) return AssertionKind::reached;
  return std::nullopt;
}

// Cuts whole characters.
std::string short_why(const std::string& why) {
  return valid_utf8(clipped(why.substr(0, 4 * kLongestAssertionWhy), kLongestAssertionWhy));
}

}  // namespace

// Called with the mutex held.
AssertionReports::Asserted& AssertionReports::of(AssertionKind kind, const std::string& name, std::int64_t now_ns) {
  const auto known = all_.find(name);
  if (known != all_.end() && known->second.kind == kind) return known->second;
  if (known != all_.end()) {
    throw BadMessage("it uses the assertion \"" + name + "\" as `" + to_text(known->second.kind) + "` and as `" +
                     to_text(kind) + "`; remedy: give each assertion its own name");
  }
  if (all_.size() >= kMostAssertions) {
    throw BadMessage("it has more than " + std::to_string(kMostAssertions) + " assertions, the last one \"" + name +
                     "\"; remedy: use constant names, and put values into `why`");
  }
  Asserted& out = all_[name];
  out.kind = kind;
  if (pass_) pass_({kind, name, AssertionResult::announced, 0, "", now_ns});
  return out;
}

// Called with the mutex held.
void AssertionReports::pass(const std::string& name, const Asserted& asserted, Counted& counted, const std::string& why,
                            std::int64_t now_ns) {
  counted.passed = counted.all;
  const bool held = &counted == &asserted.held;
  const auto result = held ? AssertionResult::held : AssertionResult::failed;
  if (pass_) pass_({asserted.kind, name, result, counted.all, short_why(why), now_ns});
}

void AssertionReports::announce(const std::vector<AssertionName>& names, std::int64_t now_ns) {
  const std::lock_guard guard(mutex_);
  for (const AssertionName& one : names) of(one.kind, one.name, now_ns);
}

void AssertionReports::hear(const AdapterSaid& said) {
  const auto kind = kind_of(said.message.name);
  if (!kind) return;
  const std::lock_guard guard(mutex_);
  Asserted& one = of(*kind, *said.message.assertion, said.read_ns);
  Counted& counted = said.message.holds.value_or(true) ? one.held : one.failed;
  counted.all = more_evaluations(counted.all, said.message.count.value_or(1));
  const bool doubled = counted.passed == 0 || counted.all >= 2 * counted.passed;
  if (doubled) pass(*said.message.assertion, one, counted, said.message.why.value_or(""), said.read_ns);
}

void AssertionReports::finish(std::int64_t now_ns) {
  const std::lock_guard guard(mutex_);
  for (auto& [name, one] : all_) {
    for (Counted* counted : {&one.held, &one.failed}) {
      if (counted->all > counted->passed) pass(name, one, *counted, "", now_ns);
    }
  }
}

}  // namespace holdfast
