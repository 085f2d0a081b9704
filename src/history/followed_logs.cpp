#include "history/followed_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "history/lane_position.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSince2001_ns = 1'000'000'000'000'000'000;  // a time of day; no machine runs for so long
constexpr std::int64_t kAhead_ns = 3'600'000'000'000;              // more than a clock is ahead of another
constexpr std::int64_t kEver_ns = std::numeric_limits<std::int64_t>::max();

std::int64_t now_of_day_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

FollowedLogs::FollowedLogs(std::vector<std::string> paths, const FollowSettings& settings,
                           const std::atomic<bool>& stop)
    : paths_(std::move(paths)), settings_(settings), stop_(stop), path_(paths_.front()) {
  if (paths_.size() > 1) path_ += fmt::format(" and {} more", paths_.size() - 1);
  look_for_logs();
}

void FollowedLogs::open(const std::string& path) {
  const auto same = [&path](const auto& lane) { return lane->path() == path; };
  if (std::any_of(lanes_.begin(), lanes_.end(), same)) return;
  lanes_.push_back(std::make_unique<LogLane>(path, Growth::growing, settings_.mapping));
}

void FollowedLogs::look_for_logs() {
  for (const auto& path : paths_) {
    if (!std::filesystem::is_directory(path)) {
      open(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".jsonl") found.push_back(entry.path().string());
    }
    std::sort(found.begin(), found.end());
    for (const auto& log : found) open(log);
  }
}

std::string FollowedLogs::place_at(std::uint64_t position) const {
  if (lanes_.empty()) return path_;
  return lanes_[lane_of(position)]->path() + ":" + std::to_string(lane_line(position));
}

// Everything written until now is read; what happened `delay_ns` ago has been written.
void FollowedLogs::refresh() {
  ending_ = stop_.load();
  const std::int64_t day_ns = now_of_day_ns();
  const std::int64_t running_ns = monotonic_ns();
  look_for_logs();
  for (auto& lane : lanes_) lane->refresh();
  for (auto& lane : lanes_) {
    if (lane->front() != nullptr) check_clock(*lane);
  }
  const bool spans = std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->spans(); });
  const std::int64_t delay_ns = spans ? std::max(settings_.delay_ns, settings_.span_delay_ns) : settings_.delay_ns;
  known_until_ns_ = ending_ ? kEver_ns : (is_of_day_ ? day_ns : running_ns) - delay_ns;
}

std::vector<std::string> FollowedLogs::warnings(bool whole) const {
  std::vector<std::string> out;
  for (const auto& lane : lanes_) {
    if (whole) add_warning_of_spans(*lane, out);
  }
  return out;
}

// The first event tells the clock of all.
void FollowedLogs::check_clock(LogLane& lane) {
  const std::int64_t time_ns = lane.front()->event.time_ns;
  const bool is_of_day = time_ns >= kSince2001_ns;
  if (!knows_clock_) is_of_day_ = is_of_day;
  knows_clock_ = true;
  const bool is_ahead = time_ns > (is_of_day ? now_of_day_ns() : monotonic_ns()) + kAhead_ns;
  if (is_of_day == is_of_day_ && !is_ahead) return;
  throw BadInput(lane.path() + ":" + std::to_string(lane.front()->position) + ": time: is of another clock than " +
                 (is_ahead ? "this machine's" : "that of the other logs") +
                 "; remedy: record CLOCK_MONOTONIC, or the time of day, everywhere");
}

LogLane* FollowedLogs::earliest() {
  LogLane* out = nullptr;
  for (auto& lane : lanes_) {
    if (lane->front() == nullptr) continue;
    if (out == nullptr || lane->front()->event.time_ns < out->front()->event.time_ns) out = lane.get();
  }
  return out;
}

void FollowedLogs::deliver(LogLane& lane, Event& event) {
  const auto same = [&lane](const auto& one) { return one.get() == &lane; };
  const auto at = static_cast<std::size_t>(std::find_if(lanes_.begin(), lanes_.end(), same) - lanes_.begin());
  LoggedEvent& logged = *lane.front();
  position_ = lane_position(at, logged.position);
  try {
    const std::int64_t time_ns = logged.event.time_ns;
    if (any_ && time_ns < last_ns_) {
      throw BadInput(fmt::format("time: {} ms before an event that was already judged; remedy: a longer --delay",
                                 (last_ns_ - time_ns + 999'999) / 1'000'000));
    }
    logged.line.has_index = false;
    if (lane.numbers_clients()) rules_.clients_are_numbered();
    rules_.admit(logged.event, logged.line);
    last_ns_ = time_ns;
    any_ = true;
  } catch (const BadInput& e) {
    throw BadInput(place() + ": " + e.what());
  }
  std::swap(event, logged.event);
  lane.advance();
}

bool FollowedLogs::may_tie() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [this](const auto& lane) {
    return lane->front() != nullptr && lane->front()->event.time_ns == last_ns_;
  });
}

bool FollowedLogs::next(Event& event) {
  for (;;) {
    LogLane* lane = earliest();
    if (lane != nullptr && lane->front()->event.time_ns <= known_until_ns_) {
      deliver(*lane, event);
      return true;
    }
    if (ending_ && lane == nullptr) return false;
    if (!ending_ && while_waiting_ && while_waiting_(known_until_ns_)) return false;
    if (!ending_ && !stop_.load()) std::this_thread::sleep_for(std::chrono::nanoseconds(settings_.nap_ns));
    refresh();
  }
}

}  // namespace holdfast
