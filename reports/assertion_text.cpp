#include "reports/assertion_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/durations.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostNamedAssertions = 6;
constexpr const char* kUnreachedRemedy =
    " The tests say nothing about what was never reached: add a scenario that reaches it, or remove the assertion.";

std::string assertion_result(const AssertionRecord& one) {
  if (!one.reached) return "never reached";
  if (one.count.kind == AssertionKind::always && one.count.failed > 0) return "was false";
  return one.count.kind == AssertionKind::always ? "always true" : "reached";
}

}  // namespace

std::vector<std::string> asserting_locks(const RunVerdict& run) {
  std::vector<std::string> out;
  for (const auto& one : run.assertions) {
    if (std::find(out.begin(), out.end(), one.lock) == out.end()) out.push_back(one.lock);
  }
  return out;
}

std::vector<std::string> unreached_of(const RunVerdict& run, const std::string& lock) {
  std::vector<std::string> out;
  for (const auto& one : run.assertions) {
    if (one.lock == lock && !one.reached) out.push_back(assertion_text(one.count.kind, one.count.name));
  }
  return out;
}

std::string some_assertions(const std::vector<std::string>& assertions) {
  std::string out;
  const std::size_t named = std::min(assertions.size(), kMostNamedAssertions);
  for (std::size_t i = 0; i < named; ++i) out += (i == 0 ? "" : ", ") + assertions[i];
  return named == assertions.size() ? out : fmt::format("{} and {} more", out, assertions.size() - named);
}

std::string assertion_answer(const RunVerdict& run, const std::string& lock) {
  const auto all = std::count_if(run.assertions.begin(), run.assertions.end(),
                                 [&lock](const AssertionRecord& one) { return one.lock == lock; });
  const auto unreached = unreached_of(run, lock);
  const auto reached = all - static_cast<std::ptrdiff_t>(unreached.size());
  std::string out =
      fmt::format("Assertions of {}: {} of {} {} reached.", lock, reached, all, all == 1 ? "was" : "were");
  if (!unreached.empty()) out += " Never reached: " + some_assertions(unreached) + "." + kUnreachedRemedy;
  return out;
}

std::vector<std::string> assertion_answers(const RunVerdict& run) {
  std::vector<std::string> out;
  for (const auto& lock : asserting_locks(run)) out.push_back(assertion_answer(run, lock));
  return out;
}

void write_assertions(const RunVerdict& run, HtmlWriter& out) {
  if (run.assertions.empty()) return;
  const auto section = out.tag("section", {{"id", "assertions"}});
  out.element("h2", {}, "Assertions of the locks' authors");
  const auto scroll = scrolling_part("assertions", out);
  const auto table = out.tag("table", {{"class", "numbers proofs cards"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"assertion", "lock", "true", "false", "result"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (const auto& one : run.assertions) {
    const bool good = one.reached && (one.count.kind != AssertionKind::always || one.count.failed == 0);
    const auto row = out.tag("tr");
    out.element("th", {{"scope", "row"}}, assertion_text(one.count.kind, one.count.name));
    out.element("td", {{"data-label", "lock"}}, one.lock);
    out.element("td", {{"data-label", "true"}}, count_text(one.count.held));
    out.element("td", {{"data-label", "false"}}, count_text(one.count.failed));
    out.element("td", {{"class", good ? "" : "flag"}, {"data-label", "result"}}, assertion_result(one));
  }
}

}  // namespace holdfast
