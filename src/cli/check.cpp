// `holdfast check`: judges histories recorded by holdfast or by other tools.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "artifact/visible.hpp"
#include "checker/check.hpp"
#include "checker/model.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "history/clock_error.hpp"
#include "history/followed_logs.hpp"
#include "history/history_export.hpp"
#include "history/open_history.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kDelay_ns = 2 * kSecond_ns;
constexpr std::int64_t kSpanDelay_ns = 15 * kSecond_ns;  // a program's and a collector's batches, and a call

struct CheckOptions {
  std::vector<std::string> files;
  std::string model;
  std::string export_form;
  bool merge = false;
  std::string not_held = "lock";
  bool json = false;
  bool first = false;
  bool follow = false;
  std::string delay;
  std::string length;
  std::string otlp_mapping;
  std::string clock_error;
};

// One history to judge, and its name in the output.
struct CheckedHistory {
  std::vector<std::string> files;
  std::string name;
};

int code_of_judgement(Judgement judgement) {
  switch (judgement) {
    case Judgement::violated:
      return kExitNotAsExpected;
    case Judgement::undecided:
    case Judgement::not_exercised:
    case Judgement::not_applicable:
      return kExitUndecided;
    case Judgement::holds:
      break;
  }
  return kExitAsExpected;
}

// Returns true if no property was exercised: then there is no verdict.
bool no_property_judged(const TrialVerdict& verdict) {
  return std::all_of(verdict.properties.begin(), verdict.properties.end(), [](const PropertyVerdict& p) {
    return p.judgement == Judgement::not_applicable || p.judgement == Judgement::not_exercised;
  });
}

// Returns the more severe exit code, which is not always the larger one.
int more_severe(int a, int b) {
  for (const int code : {kExitUsage, kExitNotAsExpected, kExitHarness, kExitUndecided}) {
    if (a == code || b == code) return code;
  }
  return kExitAsExpected;
}

// " (10)", or the count of each kind if there are several. Empty for a history that was not read to its end.
std::string counted(const PropertyVerdict& property) {
  if (property.count == 0) return "";
  std::string text = " (" + std::to_string(property.count);
  if (property.kinds.size() > 1) {
    for (const auto& [kind, count] : property.kinds) {
      text += (kind == property.kinds.begin()->first ? ": " : ", ") + kind + " " + std::to_string(count);
    }
  }
  text += ")";
  if (property.total_ns > 0) text += fmt::format(" {:.3f} s in all", static_cast<double>(property.total_ns) / 1e9);
  return text;
}

void print_witnesses(const PropertyVerdict& property, bool first) {
  const bool several = property.kinds.size() > 1;
  for (const auto& witness : property.witnesses) {
    say("    {}{}{}\n", several ? witness.kind : "", several ? ": " : "", witness.text);
    if (first) return;
  }
  const auto shown = static_cast<std::int64_t>(property.witnesses.size());
  if (shown > 0 && property.count > shown) say("    ... and {} more\n", property.count - shown);
}

void print_verdict(const std::string& file, const TrialVerdict& verdict, bool first) {
  say("{}: {}\n", file, no_property_judged(verdict) ? "NOTHING JUDGED" : to_text(verdict.judgement));
  std::string others;
  for (const auto& property : verdict.properties) {
    if (property.judgement == Judgement::not_applicable) {
      others += (others.empty() ? "" : ", ") + property.property;
      continue;
    }
    // Several first violations found by the same event are printed once.
    say("  {:<17} {}{}{}{}", property.property, to_text(property.judgement), property.kind.empty() ? "" : ":",
        property.kind, first ? "" : counted(property));
    if (!property.reason.empty()) say(" - {}", property.reason);
    if (property.judgement == Judgement::violated && !decides(property.property, verdict.model)) {
      say(" - reported, but does not count under model {}", verdict.model);
    }
    say("\n");
    print_witnesses(property, first);
  }
  if (!others.empty()) say("  not promised by this lock or model: {}\n", others);
  for (const std::string& what : verdict.not_judged) say("  not judged: {}\n", what);
  for (const std::string& what : verdict.warnings) say("  warning: {}\n", what);
}

// verdict.json plus "verdict" beside each "judgement", for other tools.
void print_verdict_json(const std::string& file, const TrialVerdict& verdict) {
  nlohmann::json out = to_json(verdict);
  out["file"] = file;
  out["verdict"] = out["judgement"];
  out["not_judged"] = nlohmann::json::array();
  for (const auto& what : verdict.not_judged) out["not_judged"].push_back(valid_utf8(what));
  out["warnings"] = nlohmann::json::array();
  for (const auto& what : verdict.warnings) out["warnings"].push_back(valid_utf8(what));
  for (auto& property : out["properties"]) property["verdict"] = property["judgement"];
  print_json(out, -1);
}

// Nanoseconds of "5ms"; 0: not given.
std::int64_t parse_clock_error(const std::string& text) {
  if (text.empty()) return 0;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  const std::int64_t ns = unit == "us" ? 1'000 : unit == "ms" ? kMillisecond_ns : unit == "s" ? kSecond_ns : 0;
  if (error != std::errc() || ns == 0 || number < 1 || number > 1'000'000 || number * ns > 60 * kSecond_ns) {
    throw BadInput("--clock-error " + text + ": not a time up to 60s; remedy: --clock-error 200us, 5ms or 1s");
  }
  return number * ns;
}

// Times of requests, from which leases count, are not certain to the bound; other models do not have a hold's owner.
void check_clock_error(const CheckOptions& options) {
  parse_clock_error(options.clock_error);
  const std::vector<std::string> able{"", "owner", "reentrant", "fenced"};
  if (options.clock_error.empty() || std::find(able.begin(), able.end(), options.model) != able.end()) return;
  throw BadInput("--clock-error does not judge by model " + options.model +
                 "; remedy: --model owner, reentrant or fenced");
}

OtlpMapping mapping_of(const CheckOptions& options) {
  return options.otlp_mapping.empty() ? OtlpMapping() : read_otlp_mapping(InputFile(options.otlp_mapping));
}

std::unique_ptr<HistorySource> open_checked(const CheckedHistory& history, const CheckOptions& options) {
  const NotHeld not_held = options.not_held == "client" ? NotHeld::said_by_client : NotHeld::said_by_lock;
  const MergeOptions merge{mapping_of(options), !options.clock_error.empty()};
  return options.merge ? open_logs(history.files, merge) : open_history(history.files.front(), not_held, merge);
}

// Judges the source by the clock error given.
TrialVerdict judge_source(HistorySource& source, const CheckOptions& options, CheckScope scope) {
  const std::int64_t most_ns = parse_clock_error(options.clock_error);
  if (most_ns == 0) return check_history(source, options.model, scope);
  ClockError bounded(source, most_ns);
  return check_history(bounded, options.model, scope);
}

// Sets `stop` after Ctrl-C, or after a time.
class Ending {
 public:
  explicit Ending(const std::string& length) : interrupted_(catch_interrupts()) {
    if (!length.empty()) until_ = std::chrono::steady_clock::now() + parse_budget(length, "--for");
    thread_ = std::thread([this] { wait(); });
  }
  ~Ending() {
    over_ = true;
    thread_.join();
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  const std::atomic<bool>& stop() const { return stop_; }

 private:
  void wait() {
    while (!over_ && !interrupted_.load() && !(until_ && std::chrono::steady_clock::now() >= *until_)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    stop_ = true;
  }

  const std::atomic<bool>& interrupted_;
  std::optional<std::chrono::steady_clock::time_point> until_;
  std::atomic<bool> over_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Judges logs that are still written; ends at the first violation, at Ctrl-C or after --for.
int check_followed(const CheckOptions& options) {
  const Ending ending(options.length);
  FollowSettings settings{.delay_ns = kDelay_ns, .span_delay_ns = kSpanDelay_ns, .mapping = mapping_of(options)};
  if (!options.delay.empty()) {
    settings.delay_ns = std::int64_t{parse_budget(options.delay, "--delay").count()} * kSecond_ns;
    settings.span_delay_ns = settings.delay_ns;
  }
  FollowedLogs source(options.files, settings, ending.stop());
  tell("following {}: ends at the first violation{}\n", plural(static_cast<std::int64_t>(source.logs()), "log", "logs"),
       options.length.empty() ? ", or with Ctrl-C" : ", or after " + options.length);
  const TrialVerdict verdict = judge_source(source, options, CheckScope::first_violation);
  options.json ? print_verdict_json(source.path(), verdict) : print_verdict(source.path(), verdict, true);
  return code_of_judgement(verdict.judgement);
}

// A history that cannot be judged does not stop the others. Sets `foreign` to false for holdfast's own.
int check_one(const CheckedHistory& history, const CheckOptions& options, bool& foreign) {
  try {
    const auto source = open_checked(history, options);
    if (!options.export_form.empty()) {
      export_history(*source, options.export_form == "edn" ? ExportForm::edn : ExportForm::jsonl, stdout);
      return kExitAsExpected;
    }
    foreign = foreign && source->header().foreign;
    const CheckScope scope = options.first ? CheckScope::first_violation : CheckScope::whole;
    const TrialVerdict verdict = judge_source(*source, options, scope);
    options.json ? print_verdict_json(history.name, verdict) : print_verdict(history.name, verdict, options.first);
    return code_of_judgement(verdict.judgement);
  } catch (const BadInput& error) {
    std::fflush(stdout);
    tell_error(error.what());
    return kExitUsage;
  }
}

std::vector<CheckedHistory> histories_of(const CheckOptions& options) {
  std::vector<CheckedHistory> out;
  for (const std::string& named : options.files) {
    const std::string file = named == "-" ? "/dev/stdin" : named;
    if (!options.merge || out.empty()) out.push_back({{}, file});
    out.back().files.push_back(file);
  }
  const std::size_t more = out.front().files.size() - 1;
  if (more > 0) out.front().name += " and " + std::to_string(more) + " more";
  return out;
}

int check_all(const CheckOptions& options) {
  if (options.follow) return check_followed(options);
  const auto histories = histories_of(options);
  if (!options.export_form.empty() && histories.size() > 1) {
    throw BadInput("--export takes one history, but " + std::to_string(histories.size()) +
                   " were given; remedy: add --merge if they are logs of one run");
  }
  int exit_code = kExitAsExpected;
  bool foreign = true;
  for (const auto& history : histories) exit_code = more_severe(exit_code, check_one(history, options, foreign));
  if (histories.size() > 1 && foreign && !options.json) {
    say("Each file was judged separately. To judge logs of one run as one history, add --merge\n");
  }
  return exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Judge histories");
  give_examples(command, {"holdfast check runs/latest/cells/ip_lease/pause/1", "holdfast check my_log.jsonl",
                          "holdfast check client_*.jsonl --merge", "holdfast check --follow /tmp/locks"});
  auto options = std::make_shared<CheckOptions>();
  command
      ->add_option("FILE", options->files,
                   "Histories: JSON lines or a JSON array (docs/history.md), Jepsen's history.edn, spans of "
                   "OpenTelemetry (OTLP/JSON lines), a trial's folder, or a folder of journals")
      ->required();
  command->add_option(
      "--model", options->model,
      "Model to judge by: owner, plain, reentrant, fenced, lease, leader, read_write or semaphore:N (N permits); "
      "default: the model in the history's header, or owner");
  command->add_flag("--merge", options->merge,
                    "Merge the files, the logs of the processes or machines of one run, by time into one history");
  command
      ->add_option("--not-held", options->not_held,
                   "Source of :not-held in Jepsen's history: lock (default) if the lock answered it, client if the "
                   "client knew without asking the lock")
      ->check(CLI::IsMember({"lock", "client"}));
  auto* follow = command->add_flag("--follow", options->follow,
                                   "Judge logs that programs on this machine are writing, until the first violation; "
                                   "a folder: its *.jsonl, new ones too");
  command
      ->add_option("--delay", options->delay,
                   "With --follow: time after which no line about an earlier moment is written; default: 2s, with "
                   "spans of OpenTelemetry 15s")
      ->needs(follow);
  command->add_option("--for", options->length, "With --follow: end after this time: 90s, 10m, 2h")->needs(follow);
  command->add_option("--otlp-mapping", options->otlp_mapping,
                      "JSON file that says which spans of OpenTelemetry are calls of the lock (docs/own_log.md)");
  auto* clock_error = command->add_option(
      "--clock-error", options->clock_error,
      "Largest difference between the clocks of the logs' machines, such as 5ms: only longer overlaps count");
  auto* json = command->add_flag("--json", options->json, "Print the verdicts as JSON, one line per file");
  auto* first = command->add_flag("--first", options->first, "Stop at the first violation (default: count all)");
  command
      ->add_option("--export", options->export_form,
                   "Print the history as jsonl (docs/history.md) or edn (Jepsen's) without judging it")
      ->check(CLI::IsMember({"jsonl", "edn"}))
      ->excludes(json)
      ->excludes(follow)
      ->excludes(clock_error)
      ->excludes(first);
  command->callback([command, options, &exit_code] {
    if (command->count("--model") > 0) check_model(options->model);
    check_clock_error(*options);
    exit_code = check_all(*options);
  });
}

}  // namespace holdfast
