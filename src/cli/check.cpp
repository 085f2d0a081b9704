// `holdfast check`: judges histories, our own or anybody's.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "checker/check.hpp"
#include "cli/command.hpp"

namespace holdfast {
namespace {

int exit_code_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::violated:
      return kExitNotAsExpected;
    case Judgement::undecided:
    case Judgement::not_exercised:
      return kExitUndecided;
    case Judgement::holds:
    case Judgement::not_applicable:
      break;
  }
  return kExitAsExpected;
}

void print(const std::string& file, const TrialVerdict& verdict) {
  std::printf("%s: %s\n", file.c_str(), to_text(verdict.judgement));
  for (const auto& property : verdict.properties) {
    std::printf("  %-17s %s%s%s", property.property.c_str(), to_text(property.judgement),
                property.kind.empty() ? "" : ":", property.kind.c_str());
    if (property.count > 0) std::printf(" (%lld)", static_cast<long long>(property.count));
    if (!property.reason.empty()) std::printf(" - %s", property.reason.c_str());
    std::printf("\n");
    for (const auto& witness : property.witnesses) std::printf("    %s\n", witness.text.c_str());
  }
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Judge a history");
  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  command->add_option("history", *files, "Histories (JSON lines)")->required();
  command->add_flag("--json", *json, "Print the verdict as JSON");
  command->callback([files, json, &exit_code] {
    for (const auto& file : *files) {
      const TrialVerdict verdict = check_history(file);
      exit_code = std::max(exit_code, exit_code_of(verdict.judgement));
      if (*json) {
        std::printf("%s\n", to_json(verdict).dump().c_str());
      } else {
        print(file, verdict);
      }
    }
  });
}

}  // namespace holdfast
