#include "suite/shard.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

std::optional<int> whole_number(const std::string& text) {
  int out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool all = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return all ? std::optional(out) : std::nullopt;
}

constexpr const char* kByHand = "; remedy: --shard I/N, such as --shard 2/4";

// A job array, described by the variables that its engine sets in each job.
struct JobArray {
  const char* engine;
  const char* index;  // the variable that identifies such a job
  Shard (*read)(const Variable& variable);
};

int number_in(const Variable& variable, const std::string& name, const std::string& without) {
  const std::string text = variable(name);
  if (text.empty()) throw BadInput("--shard auto: " + without + kByHand);
  const auto number = whole_number(text);
  if (!number) throw BadInput("--shard auto: " + name + "=" + text + " is not a number" + kByHand);
  return *number;
}

Shard checked(const Shard& shard, const std::string& said) {
  if (shard.of >= 1 && shard.of <= kMostShards && shard.number >= 1 && shard.number <= shard.of) return shard;
  throw BadInput("--shard auto: " + said + " is not one of a job array" + kByHand);
}

// Its tasks may have any numbers: --array=0-3, 1-4, even 2,3,7. Numbers with gaps do not give positions.
Shard of_slurm(const Variable& variable) {
  const std::string missing = "Slurm's SLURM_ARRAY_TASK_ID is set, but not ";
  const auto number = [&](const std::string& name) { return number_in(variable, name, missing + name); };
  const int id = number("SLURM_ARRAY_TASK_ID");
  const int count = number("SLURM_ARRAY_TASK_COUNT");
  const int least = number("SLURM_ARRAY_TASK_MIN");
  const int most = number("SLURM_ARRAY_TASK_MAX");
  if (most - least + 1 != count) {
    throw BadInput("--shard auto: the array's " + std::to_string(count) + " tasks are not numbered consecutively (" +
                   std::to_string(least) + " to " + std::to_string(most) + "); remedy: sbatch --array=1-" +
                   std::to_string(count) + ", or --shard I/N");
  }
  return checked({id - least + 1, count}, "SLURM_ARRAY_TASK_ID=" + std::to_string(id));
}

Shard of_gitlab(const Variable& variable) {
  const int index = number_in(variable, "CI_NODE_INDEX", "");
  const int total = number_in(variable, "CI_NODE_TOTAL", "CI_NODE_INDEX is set, but not CI_NODE_TOTAL");
  return checked({index, total}, "CI_NODE_INDEX=" + std::to_string(index) + " of " + std::to_string(total));
}

// Kubernetes gives a pod its index but not the number of pods.
Shard of_kubernetes(const Variable& variable) {
  const int index = number_in(variable, "JOB_COMPLETION_INDEX", "");
  const int total = number_in(variable, "JOB_COMPLETIONS",
                              "JOB_COMPLETION_INDEX is set, but not JOB_COMPLETIONS: Kubernetes does not set the "
                              "number of indexes, so the job's manifest must (docs/shards.md)");
  return checked({index + 1, total}, "JOB_COMPLETION_INDEX=" + std::to_string(index) + " of " + std::to_string(total));
}

constexpr JobArray kArrays[] = {{"Slurm", "SLURM_ARRAY_TASK_ID", of_slurm},
                                {"GitLab", "CI_NODE_INDEX", of_gitlab},
                                {"Kubernetes", "JOB_COMPLETION_INDEX", of_kubernetes}};

}  // namespace

std::string to_text(const Shard& shard) {
  return std::to_string(shard.number) + "/" + std::to_string(shard.of);
}

std::string shard_words(const Shard& shard) {
  return "shard " + std::to_string(shard.number) + " of " + std::to_string(shard.of);
}

Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  const auto number = whole_number(text.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  const auto refuse = [&text](const std::string& why) {
    throw BadInput("--shard " + text + ": " + why + "; remedy: --shard 2/4 for the second of four, or --shard auto");
  };
  if (!number || !of) refuse("not a shard");
  if (*of < 1 || *of > kMostShards) refuse("from 1 to " + std::to_string(kMostShards) + " shards are possible");
  if (*number < 1 || *number > *of) refuse("shards are numbered from 1 to " + std::to_string(*of));
  return {*number, *of};
}

Shard shard_of_job_array(const Variable& variable) {
  const JobArray* found = nullptr;
  for (const auto& array : kArrays) {
    if (variable(array.index).empty()) continue;
    if (found != nullptr) {
      throw BadInput(std::string("--shard auto: this is a job of two arrays, ") + found->engine + "'s (" +
                     found->index + ") and " + array.engine + "'s (" + array.index + ")" + kByHand);
    }
    found = &array;
  }
  if (found != nullptr) return found->read(variable);
  std::string names;
  for (const auto& array : kArrays) {
    names += (names.empty() ? "" : ", ") + std::string(array.index) + " (" + array.engine + ")";
  }
  throw BadInput("--shard auto: this is not a job of an array; none of these is set: " + names + kByHand);
}

std::vector<int> deal(const std::vector<std::int64_t>& lengths_ms, int shards) {
  std::vector<std::size_t> order(lengths_ms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths_ms[a] > lengths_ms[b]; });
  std::vector<std::int64_t> load(static_cast<std::size_t>(shards), 0);
  std::vector<int> out(lengths_ms.size());
  for (const std::size_t part : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += std::max<std::int64_t>(1, lengths_ms[part]);  // counts parts without a length, too
    out[part] = static_cast<int>(least - load.begin()) + 1;
  }
  return out;
}

std::set<std::string> Dealing::own() const {
  std::set<std::string> out;
  for (const auto& part : parts) {
    if (part.shard == shard.number) out.insert(part.name);
  }
  return out;
}

int Dealing::count_of(int number) const {
  return static_cast<int>(
      std::count_if(parts.begin(), parts.end(), [number](const DealtPart& part) { return part.shard == number; }));
}

const JsonForm<DealtPart>& DealtPart::form() {
  static const JsonForm<DealtPart> kForm{
      "part", "", {field("name", &DealtPart::name), field("shard", &DealtPart::shard, {1, kMostShards})}};
  return kForm;
}

const JsonForm<Dealing>& Dealing::form() {
  const auto number = [](const Dealing& dealing) -> std::string {
    return dealing.shard.number > dealing.shard.of ? "there are fewer shards" : "";
  };
  const auto parts = [](const Dealing& dealing) -> std::string {
    const auto beyond = [&dealing](const DealtPart& part) { return part.shard > dealing.shard.of; };
    return std::any_of(dealing.parts.begin(), dealing.parts.end(), beyond) ? "there are fewer shards" : "";
  };
  static const JsonForm<Dealing> kForm{
      "dealing",
      "",
      {field("of", &Dealing::shard, &Shard::of, {1, kMostShards}),
       checked<Dealing>(field("number", &Dealing::shard, &Shard::number, {1, kMostShards}), number),
       checked<Dealing>(field("parts", &Dealing::parts), parts)}};
  return kForm;
}

Dealing dealt(const Shard& shard, const std::vector<std::string>& names, const std::vector<std::int64_t>& lengths_ms,
              const std::string& kind) {
  if (names.size() < static_cast<std::size_t>(shard.of)) {
    const std::string count = std::to_string(names.size());
    throw BadInput("--shard " + to_text(shard) + ": more shards than " + kind + " (" + count +
                   "), so one would have nothing to do; remedy: use at most " + count);
  }
  Dealing out{shard, {}};
  const auto shards = deal(lengths_ms, shard.of);
  for (std::size_t i = 0; i < names.size(); ++i) out.parts.push_back({names[i], shards[i]});
  return out;
}

RecordedSeconds recorded_seconds(const RunVerdict& run) {
  RecordedSeconds out;
  for (const auto& cell : run.cells) {
    if (cell.trials.empty()) continue;
    double all = 0;
    for (const auto& trial : cell.trials) all += trial.seconds;
    out[cell.lock + "/" + cell.scenario] = all / static_cast<double>(cell.trials.size());
  }
  return out;
}

// Fixed overhead per trial, outside the load.
Dealing deal_cells(const SuiteOptions& options, const Shard& shard, const RecordedSeconds& recorded) {
  constexpr std::int64_t kAround_ms = 4000;
  std::vector<std::string> names;
  std::vector<std::int64_t> lengths_ms;
  for (const auto& cell : plan_cells(options)) {
    names.push_back(cell.lock + "/" + cell.scenario);
    const auto known = recorded.find(names.back());
    lengths_ms.push_back(known != recorded.end()
                             ? static_cast<std::int64_t>(known->second * 1000)
                             : scenario_of(options, cell).settings_of(cell.lock).load.duration_ms + kAround_ms);
  }
  return dealt(shard, names, lengths_ms, "cells");
}

}  // namespace holdfast
