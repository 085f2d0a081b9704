// `holdfast check`: judges histories, our own or anybody's.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "checker/check.hpp"
#include "checker/model.hpp"
#include "cli/command.hpp"

namespace holdfast {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string model;
  bool json = false;
};

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

// Of several files the gravest counts, which is not the one with the largest number.
int graver(int a, int b) {
  for (const int code : {kExitUsage, kExitNotAsExpected, kExitHarness, kExitUndecided}) {
    if (a == code || b == code) return code;
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

void print_json(const std::string& file, const TrialVerdict& verdict) {
  nlohmann::json out = to_json(verdict);
  out["file"] = file;
  std::printf("%s\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

// A file that cannot be judged keeps none of the others from it.
int check_file(const std::string& file, const CheckOptions& options) {
  try {
    const TrialVerdict verdict = check_history(file, options.model);
    options.json ? print_json(file, verdict) : print(file, verdict);
    return exit_code_of(verdict.judgement);
  } catch (const BadInput& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "holdfast: %s\n", error.what());
    return kExitUsage;
  }
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Judge histories");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->files, "Histories (JSON lines; docs/history.md)")->required();
  command->add_option(
      "--model", options->model,
      "What they are judged by: owner, reentrant, fenced or lease; without it, what the history's header "
      "says, else owner");
  command->add_flag("--json", options->json, "Print the verdicts as JSON, one line a file");
  command->callback([command, options, &exit_code] {
    if (command->count("--model") > 0) check_model(options->model);
    for (const auto& file : options->files) exit_code = graver(exit_code, check_file(file, *options));
  });
}

}  // namespace holdfast
