#include "adapter/adapter_check.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace holdfast {
namespace {

constexpr const char* kAtTheEnd = "only_messages";  // messages up to the end
constexpr const char* kLetGrant = "let acquire grant a free lock";
constexpr const char* kProtocol = "follow the protocol: docs/adapters.md, or holdfast schema adapter --keys";

const char* word_of(Found found) {
  switch (found) {
    case Found::ok:
      return "OK";
    case Found::wrong:
      return "WRONG";
    case Found::skipped:
      return "SKIPPED";
    case Found::undecided:
      break;
  }
  return "UNDECIDED";
}

class AdapterExaminer {
 public:
  AdapterExaminer(const Manifest& manifest, const StartAdapter& start, AdapterCheckOptions options)
      : talk_(manifest, start, options.servers), options_(std::move(options)) {}

  AdapterReport examine() {
    const AdapterRule starts{"start", "two instances answer ready in time", "", [](AdapterTalk& talk) {
                               for (const std::uint32_t number : {0U, 1U}) talk.client(number);
                               return RuleFinding::good();
                             }};
    started_ = run(starts).found == Found::ok;
    for (const auto& rules : {required_rules(), can_rules(), kind_rules(), ending_rules(), assertion_rules()}) {
      for (const AdapterRule& rule : rules) {
        if (is_asked(rule.name)) run(rule);
      }
    }
    if (is_asked(kAtTheEnd)) {
      add({kAtTheEnd, "its standard output has only messages, to the end", all_messages()});
    }
    return std::move(report_);
  }

 private:
  bool is_asked(const std::string& rule) const {
    const auto& only = options_.only;
    return only.empty() || std::find(only.begin(), only.end(), rule) != only.end();
  }

  const RuleFinding& run(const AdapterRule& rule) {
    RuleFinding finding = finding_of(rule);
    std::string shows;
    if (finding.of_library && *rule.finding != '\0') shows = with_command(rule.finding);
    return add({rule.name, rule.about, std::move(finding), std::move(shows)});
  }

  std::string with_command(std::string text) const {
    const std::string place = "%try";
    const auto at = text.find(place);
    return at == std::string::npos ? text : text.replace(at, place.size(), options_.tries);
  }

  // An adapter whose only mistake is that it grants nothing fails each rule that needs a grant; it is reported once.
  RuleFinding finding_of(const AdapterRule& rule) {
    RuleFinding finding = checked(rule);
    const bool no_grant = finding.found == Found::wrong && finding.remedy.starts_with(kLetGrant);
    if (no_grant && std::exchange(grants_nothing_, true)) return RuleFinding::skip("it does not grant a free lock");
    return finding;
  }

  // Repeats a rule that may have failed because of a starved machine.
  RuleFinding checked(const AdapterRule& rule) {
    if (!started_) return RuleFinding::skip("it did not start");
    if (*rule.can != '\0' && !talk_.manifest().can_do(rule.can)) {
      return RuleFinding::skip(std::string("its manifest does not say that it can '") + rule.can + "'");
    }
    if (options_.begins) options_.begins(rule.name);
    RuleFinding finding = tried(rule);
    if (!finding.excuse.empty()) finding = tried(rule);
    if (!finding.excuse.empty()) finding.found = Found::undecided;
    return finding;
  }

  RuleFinding tried(const AdapterRule& rule) {
    try {
      return rule.check(talk_);
    } catch (const AdapterError& wrong) {
      return broken(wrong, rule.about);
    }
  }

  static RuleFinding broken(const AdapterError& wrong, const std::string& expected) {
    const AdapterFailure& failure = wrong.failure;
    RuleFinding finding = RuleFinding::wrong(failure.happened.empty() ? wrong.what() : failure.happened, expected,
                                             failure.remedy.empty() ? kProtocol : failure.remedy);
    finding.said = failure.said;
    if (failure.starved) finding.excused("the machine was starved: the adapter hardly got a processor");
    return finding;
  }

  RuleFinding all_messages() {
    if (!started_) return RuleFinding::skip("it did not start");
    const auto wrong = talk_.end();
    if (wrong.empty()) return RuleFinding::good();
    RuleFinding finding = broken(wrong.front(), "only messages");
    finding.remedy = "write everything else to standard error";
    return finding;
  }

  const RuleFinding& add(RuleResult result) {
    if (options_.told) options_.told(result);
    report_.rules.push_back(std::move(result));
    return report_.rules.back().finding;
  }

  AdapterTalk talk_;
  AdapterCheckOptions options_;
  bool started_ = true;
  bool grants_nothing_ = false;
  AdapterReport report_;
};

}  // namespace

std::string RuleResult::text() const {
  std::string out = std::string(word_of(finding.found)) + " " + rule + ": " + about;
  if (finding.found == Found::skipped) out += " (" + finding.what + ")";
  if (finding.found == Found::ok || finding.found == Found::skipped) return out;
  if (finding.found == Found::undecided) out += "\n  could not be checked: " + finding.excuse;
  out += "\n  what happened: " + finding.what + "\n  expected: " + finding.expected;
  if (!finding.said.empty()) out += "\n  its last lines on standard error:";
  for (const std::string& line : finding.said) out += "\n    " + line;
  if (finding.found == Found::undecided) return out;
  if (shows.empty()) return out + "\n  remedy: " + finding.remedy;
  return out + "\n  remedy, if the adapter causes it: " + finding.remedy +
         "\n"
         "  if the library causes it: do not change the adapter, and do not hide it. It is a finding about the lock; " +
         shows;
}

bool AdapterReport::good() const {
  return std::none_of(rules.begin(), rules.end(),
                      [](const RuleResult& one) { return one.finding.found == Found::wrong; });
}

AdapterReport check_adapter(const Manifest& manifest, const StartAdapter& start, const AdapterCheckOptions& options) {
  return AdapterExaminer(manifest, start, options).examine();
}

}  // namespace holdfast
