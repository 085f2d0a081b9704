#include "adapter/adapter_check.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace holdfast {
namespace {

constexpr const char* kAtTheEnd = "only_messages";  // what it said by then
constexpr const char* kLetGrant = "let acquire grant a free lock";

const char* word_of(Found found) {
  if (found == Found::ok) return "OK";
  return found == Found::wrong ? "WRONG" : "SKIPPED";
}

class AdapterExaminer {
 public:
  AdapterExaminer(const Manifest& manifest, const StartAdapter& start, std::function<void(const RuleResult&)> told,
                  std::vector<std::string> only)
      : talk_(manifest, start), told_(std::move(told)), only_(std::move(only)) {}

  AdapterReport examine() {
    const AdapterRule starts{"start", "two of it say ready in time", "", [](AdapterTalk& talk) {
                               for (const std::uint32_t number : {0U, 1U}) talk.client(number);
                               return RuleFinding::good();
                             }};
    started_ = run(starts).found == Found::ok;
    for (const auto& rules : {required_rules(), can_rules(), kind_rules(), ending_rules()}) {
      for (const AdapterRule& rule : rules) {
        if (is_asked(rule.name)) run(rule);
      }
    }
    if (is_asked(kAtTheEnd)) {
      add({kAtTheEnd, "its standard output has nothing but messages, to the end", all_messages()});
    }
    return std::move(report_);
  }

 private:
  bool is_asked(const std::string& rule) const {
    return only_.empty() || std::find(only_.begin(), only_.end(), rule) != only_.end();
  }

  const RuleFinding& run(const AdapterRule& rule) { return add({rule.name, rule.about, finding_of(rule)}); }

  // Whose one mistake is that it grants nothing, shows it in each rule that needs a grant: once is enough.
  RuleFinding finding_of(const AdapterRule& rule) {
    RuleFinding finding = checked(rule);
    const bool no_grant = finding.found == Found::wrong && finding.remedy.starts_with(kLetGrant);
    if (no_grant && std::exchange(grants_nothing_, true)) return RuleFinding::skip("it is not granted a free lock");
    return finding;
  }

  RuleFinding checked(const AdapterRule& rule) {
    if (!started_) return RuleFinding::skip("it did not start");
    if (*rule.can != '\0' && !talk_.manifest().can_do(rule.can)) {
      return RuleFinding::skip(std::string("its manifest does not say that it can '") + rule.can + "'");
    }
    try {
      return rule.check(talk_);
    } catch (const AdapterError& wrong) {
      return RuleFinding::wrong(wrong.what(), rule.about, "see the protocol's table of messages");
    }
  }

  RuleFinding all_messages() {
    if (!started_) return RuleFinding::skip("it did not start");
    const auto wrong = talk_.end();
    if (wrong.empty()) return RuleFinding::good();
    return RuleFinding::wrong(wrong.front(), "nothing but messages", "write all else to standard error");
  }

  const RuleFinding& add(RuleResult result) {
    if (told_) told_(result);
    report_.rules.push_back(std::move(result));
    return report_.rules.back().finding;
  }

  AdapterTalk talk_;
  std::function<void(const RuleResult&)> told_;
  std::vector<std::string> only_;
  bool started_ = true;
  bool grants_nothing_ = false;
  AdapterReport report_;
};

}  // namespace

std::string RuleResult::text() const {
  std::string out = std::string(word_of(finding.found)) + " " + rule + ": " + about;
  if (finding.found == Found::skipped) out += " (" + finding.what + ")";
  if (finding.found != Found::wrong) return out;
  out += "\n  what happened: " + finding.what + "\n  expected: " + finding.expected;
  if (!finding.remedy.empty()) out += "\n  remedy: " + finding.remedy;
  return out;
}

bool AdapterReport::good() const {
  return std::none_of(rules.begin(), rules.end(),
                      [](const RuleResult& one) { return one.finding.found == Found::wrong; });
}

AdapterReport check_adapter(const Manifest& manifest, const StartAdapter& start,
                            const std::function<void(const RuleResult&)>& told, const std::vector<std::string>& only) {
  return AdapterExaminer(manifest, start, told, only).examine();
}

}  // namespace holdfast
