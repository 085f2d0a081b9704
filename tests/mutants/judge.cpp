// Judges histories for the tests of the checker: one `MODEL FILE` a line on standard input (MODEL `-`: the header's,
// else owner), one JSON object a line on standard output. It links the checker and the shapes of its files and nothing
// else, so that a checker with one rule changed is built in a moment.
#include <iostream>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "checker/check.hpp"

namespace {

nlohmann::json judge(const std::string& model, const std::string& file) {
  using namespace holdfast;
  nlohmann::json said;
  try {
    const TrialVerdict verdict = check_history(file, model == "-" ? "" : model);
    said["trial"] = to_text(verdict.judgement);
    for (const PropertyVerdict& property : verdict.properties) {
      if (property.judgement == Judgement::not_applicable) continue;
      said[property.property] = to_text(property.judgement) + (property.kind.empty() ? "" : ":" + property.kind);
      const auto left_out = property.coverage.find("pairs_not_looked_at");
      if (left_out != property.coverage.end()) said[property.property + "." + left_out->first] = left_out->second;
    }
  } catch (const BadInput& refusal) {
    said["refused"] = refusal.what();
  }
  return said;
}

}  // namespace

int main() {
  for (std::string model, file; std::cin >> model && std::getline(std::cin >> std::ws, file);) {
    std::cout << judge(model, file).dump() << std::endl;
  }
}
