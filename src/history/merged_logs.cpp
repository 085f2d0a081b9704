#include "history/merged_logs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/error.hpp"
#include "history/lane_position.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortestEarlyNs = 1'000'000'000;

std::string seconds(std::int64_t ns) {
  return fmt::format("{:.3f} s", static_cast<double>(ns) / 1e9);
}

// A file named twice would have all its events twice.
void check_different(const std::vector<std::string>& paths) {
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (!seen.insert(path).second) throw BadInput(path + ": is given twice");
  }
}

}  // namespace

MergedLogs::MergedLogs(const std::vector<std::string>& paths, const MergeOptions& options)
    : clocks_are_bounded_(options.clocks_are_bounded) {
  check_different(paths);
  for (const std::string& path : paths) {
    const std::size_t lane = lanes_.size();
    lanes_.push_back(std::make_unique<LogLane>(path, Growth::complete, options.mapping));
    fronts_.emplace(lanes_[lane]->front()->event.time_ns, lane);
    if (lanes_[lane]->numbers_clients()) rules_.clients_are_numbered();
  }
  continued_.resize(lanes_.size());
  path_ = paths.front();
  if (paths.size() > 1) path_ += fmt::format(" and {} more", paths.size() - 1);
  check_forms();
}

void MergedLogs::check_forms() const {
  for (const auto& lane : lanes_) {
    if (lane->form() == lanes_.front()->form()) continue;
    throw BadInput(lane->path() + ": its times are in " + to_text(lane->form()) + ", and those of " +
                   lanes_.front()->path() + " are in " + to_text(lanes_.front()->form()) +
                   ", so they cannot be compared; remedy: write all times in one form, from one clock");
  }
}

std::string MergedLogs::place_at(std::uint64_t position) const {
  return lanes_[lane_of(position)]->path() + ":" + std::to_string(lane_line(position));
}

void MergedLogs::check_process(std::size_t lane, const LoggedEvent& logged) {
  const std::uint32_t process = rules_.process_id(logged.line.process.text());
  if (process >= lane_of_.size()) lane_of_.resize(process + 1);
  const std::size_t before = std::exchange(lane_of_[process], lane + 1);
  if (before == 0 || before == lane + 1) return;
  if (lanes_[before - 1]->front() != nullptr) {
    throw BadInput(
        "process " + std::string(logged.line.process.text().substr(0, 64)) + " is also in " +
        lanes_[before - 1]->path() +
        ", but a name means one process in all logs; remedy: give each process a unique name, such as HOST-PID");
  }
  continued_[before - 1] = continued_[lane] = true;
}

bool MergedLogs::next(Event& event) {
  if (fronts_.empty()) return false;
  const std::size_t at = fronts_.extract(fronts_.begin()).value().second;
  LogLane& lane = *lanes_[at];
  LoggedEvent& logged = *lane.front();
  position_ = lane_position(at, logged.position);
  try {
    logged.line.has_index = false;
    if (logged.event.actor == Actor::client && lane.spans() == nullptr) check_process(at, logged);
    rules_.admit(logged.event, logged.line);
  } catch (const BadInput& e) {
    throw BadInput(place() + ": " + e.what());
  }
  std::swap(event, logged.event);
  lane.advance();
  if (lane.front() != nullptr) fronts_.emplace(lane.front()->event.time_ns, at);
  return true;
}

// A log may end early for a good reason, so silence is reported only if it is long for this log and for the history.
std::string MergedLogs::early_end(std::size_t at, std::int64_t first_ns, std::int64_t last_ns) const {
  const LogLane& lane = *lanes_[at];
  const std::int64_t silent_ns = last_ns - lane.last_ns();
  const bool is_long = silent_ns >= kShortestEarlyNs && silent_ns > (last_ns - first_ns) / 10 &&
                       silent_ns / 2 > lane.longest_silence_ns();
  if (!is_long || continued_[at]) return "";
  return lane.path() + ": ends " + seconds(silent_ns) +
         " before the last event of all logs; if it was cut off, or its " +
         "program was killed, later operations of its processes are not judged";
}

// Logs of one run overlap in time. Others have different clocks, or belong to different runs.
std::string MergedLogs::apart(std::size_t at) const {
  const LogLane& lane = *lanes_[at];
  const bool meets = std::any_of(lanes_.begin(), lanes_.end(), [&lane](const auto& other) {
    return other.get() != &lane && other->first_ns() <= lane.last_ns() && lane.first_ns() <= other->last_ns();
  });
  if (meets || continued_[at] || lanes_.size() == 1) return "";
  return lane.path() +
         ": does not overlap in time with any other log, so it may use a different clock; nothing between it and " +
         "the others was tested";
}

std::vector<std::string> MergedLogs::warnings(bool whole) const {
  if (!whole) return {};
  std::vector<std::string> out;
  std::int64_t first_ns = lanes_.front()->first_ns();
  std::int64_t last_ns = lanes_.front()->last_ns();
  for (const auto& lane : lanes_) {
    first_ns = std::min(first_ns, lane->first_ns());
    last_ns = std::max(last_ns, lane->last_ns());
  }
  for (std::size_t at = 0; at < lanes_.size(); ++at) {
    std::string warning = apart(at);
    if (warning.empty()) warning = early_end(at, first_ns, last_ns);
    if (!warning.empty()) out.push_back(std::move(warning));
    add_warning_of_spans(*lanes_[at], out);
  }
  const bool spans = std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->spans(); });
  if (!clocks_are_bounded_ && (spans || (lanes_.size() > 1 && is_time_of_day(lanes_.front()->form())))) {
    out.push_back(
        "the logs are merged by times of day: if the machines' clocks differ, overlaps shorter than the difference may "
        "be false or missed");
  }
  return out;
}

}  // namespace holdfast
