#include "cli/output.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "adapter/scheduler_wait.hpp"
#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"
#include "artifact/log_bounds.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/run_verdict.hpp"
#include "cli/explored_page.hpp"
#include "cli/remedies.hpp"
#include "cli/source_places.hpp"
#include "cli/terminal.hpp"
#include "cli/written_formats.hpp"
#include "history/history.hpp"
#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"
#include "reports/lock_answer.hpp"
#include "reports/matrix.hpp"
#include "reports/packed_trial.hpp"
#include "reports/page.hpp"
#include "reports/sentence.hpp"
#include "servers/server_type.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

std::int64_t memory_mib() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE) / (std::int64_t{1024} * 1024);
}

// Each trial's runner counts stalls.
nlohmann::json stalls_by_trial(const RunVerdict& verdict, const std::string& folder) {
  nlohmann::json out = nlohmann::json::object();
  const RunDirectory run(folder);
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/facts.json";
      if (trial.folder.empty() || failed(trial) || !run.has(name)) continue;
      const std::int64_t stalls = trial_facts_of(run.read(name), run.path_of(name)).stalls;
      if (stalls > 0) out[trial.folder] = stalls;
    }
  }
  return out;
}

void add_cut_logs(const RunDirectory& run, const std::string& trial, nlohmann::json& out) {
  for (const auto& file : run.files_in(trial)) {
    const std::string name = trial + "/" + file;
    if (file.ends_with(".log") && run.size_of(name) > kBeginOfLog) out.push_back(name);
  }
}

// Incomplete logs, by name in the run's folder.
nlohmann::json cut_logs(const RunVerdict& verdict, const std::string& folder) {
  auto out = nlohmann::json::array();
  const RunDirectory run(folder);
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      try {
        if (!trial.folder.empty()) add_cut_logs(run, trial.folder, out);
      } catch (const BadInput&) {
        if (!failed(trial)) throw;  // as in read_trials
      }
    }
  }
  return out;
}

// The kernel's pressure stall information: the share of time in which some process waited for a processor.
nlohmann::json pressure() {
  nlohmann::json out = nlohmann::json::object();
  std::ifstream in("/proc/pressure/cpu");
  for (std::string line; std::getline(in, line);) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos) out[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return out;
}

// For display: name -> value.
std::map<std::string, std::string> environment(const RunVerdict& verdict) {
  utsname host{};
  ::uname(&host);
  return {{"holdfast", verdict.version},
          {"server", verdict.server},
          {"kernel", std::string(host.sysname) + " " + host.release},
          {"machine", host.machine},
          {"memory", std::to_string(memory_mib()) + " MiB"},
          {"stalls of the machine", not_counted().empty() ? std::to_string(verdict.stalls) : "not counted here"},
          {"processors", std::to_string(std::thread::hardware_concurrency())}};
}

// The same for programs, with the load and the stalls of each affected trial. Collected at the end of the run.
nlohmann::json environment_json(const RunVerdict& verdict, const std::string& folder) {
  nlohmann::json out = environment(verdict);
  out.erase("stalls of the machine");
  out["memory_mib"] = memory_mib();
  out.erase("memory");
  out["processors"] = std::thread::hardware_concurrency();
  store_sources(sources_of(verdict), out);
  out["stalls"] = {{"all", verdict.stalls}, {"by_trial", stalls_by_trial(verdict, folder)}};
  if (auto cut = cut_logs(verdict, folder); !cut.empty()) out["cut_logs"] = std::move(cut);
  std::array<double, 3> load{};
  if (::getloadavg(load.data(), 3) == 3) out["load_average"] = load;
  if (auto cpu = pressure(); !cpu.empty()) out["pressure_cpu"] = std::move(cpu);
  return out;
}

void read_trials(const RunDirectory& run, const RunVerdict& verdict, PageFiles& input) {
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/verdict.json";
      if (trial.folder.empty()) continue;
      try {
        if (!run.has(name)) continue;
        input.trials[trial.folder] = read_json_file(run.file(name), from_json<TrialVerdict>);
      } catch (const BadInput&) {
        if (!failed(trial)) throw;  // a failed trial's file may be anything an adapter left there
      }
    }
  }
}

// Reads the histories of the trials with a diagram, the most severe first, up to the page's size limit. An unreadable
// history only costs that diagram's events; the page states the reason.
void read_events(const RunDirectory& run, const RunAssessment& found, PageFiles& input) {
  std::size_t packed = 0;
  for (const TrialResult* trial : pictured_trials(found)) {
    const auto verdict = input.trials.find(trial->folder);
    const std::string name = trial->folder + "/history.jsonl";
    if (verdict == input.trials.end() || !run.has(name)) continue;
    if (packed > kLargestPage) {
      input.unpacked[trial->folder] = "the page would grow too large; they are in " + trial->folder + "/history.jsonl";
    }
    try {
      if (packed > kLargestPage) {
        HistoryReader history(run.file(name));
        input.counts[trial->folder] = trial_counts(history, verdict->second.timeline);
        continue;
      }
      HistoryReader history(run.file(name));
      TrialEvidence evidence = trial_evidence(history, verdict->second, statement_templates(verdict->second.lock));
      packed += (input.packed[trial->folder] = std::move(evidence.packed)).size();
      input.sent[trial->folder] = std::move(evidence.sent);
      input.counts[trial->folder] = evidence.counts;
    } catch (const BadInput& broken) {
      input.packed.erase(trial->folder);
      input.unpacked[trial->folder] = broken.what();
    }
  }
}

nlohmann::json stored_environment(const RunDirectory& run) {
  static const std::string kName = "environment.json";
  if (!run.has(kName)) return nullptr;
  try {
    return parse_json(run.read(kName), run.path_of(kName));
  } catch (const BadInput&) {
    return nullptr;  // treated as missing
  }
}

// Reads the environment recorded at the end of the run, which stays correct if another machine renders the page. Nested
// lists (stalls per trial) are not shown.
void read_environment(const RunDirectory& run, const RunVerdict& verdict, PageFiles& input) {
  const auto stored = stored_environment(run);
  if (!stored.is_object()) {
    input.environment = environment(verdict);
    return;
  }
  const auto text = [](const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{:.2f}", value.get<double>()) : text_of_json(value);
  };
  const auto add = [&](const std::string& name, const nlohmann::json& value) {
    if (!value.is_structured()) input.environment[name] = text(value);
  };
  for (const auto& [name, value] : stored.items()) {
    add(name, value);
    if (value.is_object()) {
      for (const auto& [part, number] : value.items()) add(name + " " + part, number);
    }
    if (value.is_array() && !value.empty()) {
      std::string all;
      for (const auto& item : value) all += (all.empty() ? "" : " ") + text(item);
      input.environment[name] = all;
    }
  }
}

// For locks known to this program.
void read_instead(const RunVerdict& verdict, PageFiles& input) {
  for (const auto& cell : verdict.cells) {
    const std::string lock = cell.lock.substr(0, cell.lock.find('+'));
    if (find_entry(locks(), lock) != nullptr) input.instead[cell.lock] = lock_texts(lock).instead;
  }
}

PageFiles page_files(const RunAssessment& found, const std::string& folder) {
  PageFiles input;
  const RunDirectory run(folder);
  read_environment(run, found.run, input);
  read_trials(run, found.run, input);
  read_events(run, found, input);
  read_instead(found.run, input);
  input.explored = explored_finds(folder, found.run);
  return input;
}

std::string formats_of_trial() {
  std::string names;
  for (const auto& [name, type] : formats()) {
    if (type->of_trial != nullptr) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::pair<const Cell*, const TrialResult*> chosen_trial(const FormatInput& in, const std::string& name, int number) {
  if (name.empty()) {
    const Finding& found = in.page.found.severest;
    if (found.trial == nullptr) {
      throw BadInput("nothing was violated in " + in.folder + "; remedy: choose a trial with --cell LOCK/SCENARIO");
    }
    return {found.cell, found.trial};
  }
  std::vector<std::string> names;
  for (const auto& cell : in.page.found.run.cells) {
    names.push_back(cell.lock + "/" + cell.scenario);
    if (names.back() != name) continue;
    const auto trial = std::find_if(cell.trials.begin(), cell.trials.end(),
                                    [number](const TrialResult& t) { return t.number == number; });
    if (trial != cell.trials.end()) return {&cell, &*trial};
    throw BadInput("--trial " + std::to_string(number) + ": " + name + " has " + std::to_string(cell.trials.size()) +
                   " trials in " + in.folder);
  }
  throw BadInput(unknown_word("cell", name, names));
}

// The assessment refers to the verdict, including its sentence.
RunAssessment write_assessed(RunVerdict& verdict, RunAssessment found, const std::string& folder,
                             const nlohmann::json& environment) {
  verdict.sentence = run_sentence(found);
  verdict.grades = grade_records(found);
  const RunDirectory run(folder);
  check_outputs(run);
  run.write("environment.json", text_of_json(environment, 2) + "\n");
  write_report(found, folder);
  run.write("verdict.json", text_of_json(to_json(verdict), 1) + "\n", Keep::surely);
  return found;
}

}  // namespace

std::string program_as_typed() {
  const char* typed = std::getenv("HOLDFAST_COMMAND");
  return typed != nullptr && *typed != '\0' ? typed : "holdfast";
}

std::string from_here(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  return error || relative.empty() || relative.string().rfind("../..", 0) == 0 ? path : relative.string();
}

std::string utc_now() {
  char text[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

bool wants_colour(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  const char* none = std::getenv("NO_COLOR");
  return (none == nullptr || *none == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

// Parameters are "$name" in languages read by a shell, and @name in SQL. Empty for unknown locks and adapters.
StatementTemplates statement_templates(const std::string& lock) {
  const std::string name = lock.substr(0, lock.find('+'));
  const LockType* type = find_entry(locks(), name);
  if (type == nullptr || type->manifest != nullptr) return {};
  StatementTemplates out;
  out.parameter = std::string_view(server_type(type->server).form.fence) == "sh" ? '$' : '@';
  for (auto& statement : statement_texts(name)) out.texts[statement.name] = std::move(statement.text);
  return out;
}

FormatInput format_input(const RunAssessment& found, const std::string& folder) {
  return {{page_files(found, folder), found}, folder, stored_sources(stored_environment(RunDirectory(folder)))};
}

void write_report(const RunAssessment& found, const std::string& folder) {
  const FormatInput input = format_input(found, folder);
  write_formats(input);
  tell_github(input);
}

RunAssessment write_results(RunVerdict& verdict, const std::string& folder,
                            const std::vector<FoundSchedule>& schedules) {
  return write_assessed(verdict, assess(verdict, schedules), folder, environment_json(verdict, folder));
}

RunAssessment write_results(RunVerdict& verdict, const std::string& folder, const nlohmann::json& environment) {
  return write_assessed(verdict, assess(verdict), folder, environment);
}

void print_result(const RunAssessment& found, const std::string& folder, bool json, bool colour) {
  const RunVerdict& verdict = found.run;
  const std::string report = from_here(folder + "/report.html");
  if (json) {
    print_json(to_json(verdict));
    tell("{}\n  report: {}\n  rerun: {}\n", verdict.sentence, report, verdict.command);
    return;
  }
  say("{}\n{} · report: {} · rerun: {}\n", matrix_text(found, colour, screen_columns()), sentence_parts(found).word,
      report, verdict.command);
}

void tell_error(const std::string& what) {
  tell("holdfast: {}\n", terminal_message(clipped_message(with_remedy(what))));
}

// Prints each reason once, as one cause often affects many trials.
void print_unavailable(const RunVerdict& verdict) {
  std::set<std::string> told;
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      if (trial.outcome != Outcome::unavailable || !told.insert(trial.error).second) continue;
      tell_error(cell.lock + "/" + cell.scenario + ": " + trial.error);
    }
  }
}

std::string format_text(const FormatInput& in, const std::string& name, const std::string& cell, int number) {
  const FormatType* type = find_entry(formats(), name);
  if (type == nullptr) throw BadInput(unknown_word("format", name, entry_names(formats())));
  if (type->of_run != nullptr && !cell.empty()) {
    throw BadInput("--cell: the format " + name + " covers a whole run; formats of one trial: " + formats_of_trial());
  }
  if (type->of_run != nullptr) return type->of_run(in);
  const auto [of_cell, trial] = chosen_trial(in, cell, number);
  std::string text = type->of_trial(in, *of_cell, *trial);
  if (text.empty())
    throw BadInput(in.folder + "/" + trial->folder + ": has no verdict.json to make a " + name + " from");
  return text;
}

}  // namespace holdfast
