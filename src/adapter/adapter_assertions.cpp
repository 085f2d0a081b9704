// Rules for the assertions of a lock's author. Broken ones, such as a name with two kinds, are an AdapterError in any
// rule.
#include <algorithm>

#include "adapter/adapter_rules.hpp"

namespace holdfast {
namespace {

constexpr const char* kNoAssertions = "it has no assertions";

// A name that both announce has the same kind.
RuleFinding same_assertions(AdapterTalk& talk) {
  const std::vector<AssertionName>& written = talk.manifest().assertions;
  const std::vector<AssertionName> said = talk.client(0).ready().assertions.value_or(std::vector<AssertionName>());
  if (said.empty() && written.empty()) return RuleFinding::skip("it announces no assertions");
  for (const AssertionName& one : said) {
    const auto other = std::find_if(written.begin(), written.end(),
                                    [&one](const AssertionName& known) { return known.name == one.name; });
    if (other == written.end() || other->kind == one.kind) continue;
    return RuleFinding::wrong("its ready announces " + assertion_text(one.kind, one.name),
                              "the same as in the manifest: " + assertion_text(other->kind, other->name),
                              "use one kind for each name");
  }
  return RuleFinding::good();
}

RuleFinding none_is_false(AdapterTalk& talk) {
  const AdapterTalk::Asserted found = talk.asserted();
  if (found.made == 0) return RuleFinding::skip(kNoAssertions);
  if (!found.failed) return RuleFinding::good();
  const std::string& why = found.failed->why;
  return RuleFinding::wrong("the assertion " + assertion_text(AssertionKind::always, found.failed->name) +
                                " was false" + (why.empty() ? "" : ": " + shown_line(why)),
                            "true, whenever it is evaluated", "correct the condition of the assertion")
      .maybe_of_library();
}

}  // namespace

std::vector<AdapterRule> assertion_rules() {
  return {
      {"assertions", "its ready and the manifest agree on the assertions", "", same_assertions},
      {"always", "no `always` assertion is false without a fault", "", none_is_false, "%try shows when it is false"},
  };
}

}  // namespace holdfast
