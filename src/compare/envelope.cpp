#include "compare/envelope.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/server_names.hpp"
#include "compare/compare.hpp"
#include "compare/envelope_scenario.hpp"
#include "compare/envelope_search.hpp"
#include "lock/added_locks.hpp"
#include "suite/check_names.hpp"

namespace holdfast {
namespace {

// One search: a lock, a lease, a direction.
struct EnvelopeLane {
  EnvelopeCourse course;
  int direction = 1;
  std::int64_t most = 0;
  std::int64_t step = 0;
  EnvelopeSearch search{1, 1};
  SuiteOptions options;
  std::string folder;  // below the order's folder
  std::vector<EnvelopePoint> points;
};

// The trials of one amount of a lane, in one batch.
struct AmountBatch {
  EnvelopeLane* lane = nullptr;
  std::int64_t size = 0;
  Scenario scenario;
  std::vector<TrialRecord> trials;
};

EnvelopeCourse course_of(const EnvelopeOrder& order, const std::string& lock, std::int64_t lease_ms) {
  EnvelopeCourse course{order.amount, lock, lease_ms, order.settings, nullptr};
  if (!order.scenario.empty()) course.own = &order.scenario.front();
  return course;
}

EnvelopeLane lane_of(const EnvelopeOrder& order, const EnvelopeCourse& course, int direction, std::size_t number) {
  EnvelopeLane lane;
  lane.course = course;
  lane.direction = direction;
  const std::int64_t whole = order.amount.is_time() ? course.lease_ms : 100;
  const std::int64_t bound = direction > 0 ? order.amount.most : -order.amount.least;
  lane.most = std::min(bound, order.most > 0 ? order.most : 3 * whole);
  lane.step = order.step > 0 ? order.step : std::max<std::int64_t>(1, order.amount.is_time() ? whole / 40 : 5);
  lane.search = EnvelopeSearch(lane.most, lane.step);
  lane.folder = "E" + std::to_string(number);
  lane.options.seed = order.seed;
  lane.options.servers = order.servers;
  lane.options.target = order.target;
  lane.options.folder = order.folder + "/" + lane.folder;
  return lane;
}

std::deque<EnvelopeLane> envelope_lanes(const EnvelopeOrder& order) {
  std::deque<EnvelopeLane> out;
  for (const auto& lock : order.locks) {
    for (const auto lease_ms : order.leases_ms) {
      const EnvelopeCourse course = course_of(order, lock, lease_ms);
      out.push_back(lane_of(order, course, 1, out.size() + 1));
      if (order.amount.least < 0) out.push_back(lane_of(order, course, -1, out.size() + 1));
    }
  }
  return out;
}

class EnvelopeFinder {
 public:
  EnvelopeFinder(const EnvelopeOrder& order, const std::function<void(const CompareProgress&)>& progress,
                 const std::atomic<bool>& interrupted)
      : order_(order),
        progress_(progress),
        interrupted_(interrupted),
        properties_(envelope_properties(order.property)),
        lanes_(envelope_lanes(order)) {
    for (const auto& lane : lanes_) std::filesystem::create_directories(lane.options.folder);
  }

  EnvelopeRun run() {
    const auto begin = std::chrono::steady_clock::now();
    for (auto batches = next_batches(); !batches.empty() && !interrupted_.load(); batches = next_batches()) {
      execute(batches);
    }
    EnvelopeRun out;
    for (auto& lane : lanes_) out.envelopes.push_back(envelope_of(lane));
    out.server = server_text(environment_.servers);
    out.seed = order_.seed;
    out.repeat = order_.repeat;
    out.interrupted = interrupted_.load();
    out.judged_by = properties_;
    out.notes = notes_of(order_.locks);
    out.dangerous_moment = order_.scenario.empty() ? dangerous_moment(order_.amount) : order_.scenario.front().about;
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return out;
  }

 private:
  std::vector<AmountBatch> next_batches() {
    std::vector<AmountBatch> out;
    for (auto& lane : lanes_) {
      for (const auto size : lane.search.next()) {
        out.push_back({&lane, size, envelope_scenario(lane.course, size * lane.direction), {}});
        out.back().trials.resize(static_cast<std::size_t>(order_.repeat));
      }
    }
    return out;
  }

  void execute(std::vector<AmountBatch>& batches) {
    std::vector<Turn> turns;
    std::vector<TrialRecord*> places;
    for (int r = 0; r < order_.repeat; ++r) {
      for (auto& batch : batches) {
        turns.push_back({&batch.lane->options, &batch.scenario, batch.lane->course.lock, r + 1});
        places.push_back(&batch.trials[static_cast<std::size_t>(r)]);
      }
    }
    state_.trials += static_cast<int>(turns.size());
    std::vector<bool> ran(turns.size(), false);
    const TurnDone done = [&](std::size_t at, const TrialResult& result) {
      const EnvelopeLane& lane = *batches[at % batches.size()].lane;
      *places[at] = record_of(result, lane.options.folder, lane.folder + "/");
      state_.done += ran[at] ? 0 : 1;
      ran[at] = true;
      state_.last = turns[at].lock + " " + turns[at].scenario->name;
      progress_(state_);
    };
    take_turns(turns, order_.jobs, interrupted_, environment_, done);
    if (interrupted_.load()) return;  // an incomplete batch has no result
    for (auto& batch : batches) {
      const std::int64_t amount = batch.size * batch.lane->direction;
      const FaultAmount& of = batch.lane->course.amount;
      const AskedLength asked{of.fault, of.is_length() ? amount : 0};
      batch.lane->points.push_back(point_of(amount, asked, batch.trials, properties_));
      batch.lane->search.tell(batch.size, batch.lane->points.back().answer);
    }
  }

  static Envelope envelope_of(EnvelopeLane& lane) {
    Envelope out;
    out.lock = lane.course.lock;
    out.fault = lane.course.amount.fault;
    out.key = lane.course.amount.key;
    out.direction = lane.direction;
    out.lease_ms = lane.course.lease_ms;
    out.most = lane.most * lane.direction;
    out.step = lane.step;
    const auto signs = [&](auto& all) {
      for (auto& amount : all) amount *= lane.direction;
    };
    out.bracket = lane.search.bracket();
    if (out.bracket.holds_at) *out.bracket.holds_at *= lane.direction;
    if (out.bracket.violated_at) *out.bracket.violated_at *= lane.direction;
    signs(out.bracket.undecided);
    signs(out.bracket.holds_beyond);
    std::sort(lane.points.begin(), lane.points.end(), [&](const EnvelopePoint& a, const EnvelopePoint& b) {
      return a.amount * lane.direction < b.amount * lane.direction;
    });
    out.points = lane.points;
    return out;
  }

  const EnvelopeOrder& order_;
  const std::function<void(const CompareProgress&)>& progress_;
  const std::atomic<bool>& interrupted_;
  std::vector<std::string> properties_;
  std::deque<EnvelopeLane> lanes_;
  TrialEnvironment environment_;
  CompareProgress state_;
};

}  // namespace

void check_order(const EnvelopeOrder& order) {
  envelope_properties(order.property);
  for (const auto& lane : envelope_lanes(order)) {
    if (lane.step > lane.most) throw BadInput("--step is larger than the largest amount, " + std::to_string(lane.most));
    for (const auto size : lane.search.next()) {
      check_names(envelope_scenario(lane.course, size * lane.direction));
    }
  }
}

EnvelopeRun find_envelopes(const EnvelopeOrder& order, const std::function<void(const CompareProgress&)>& progress,
                           const std::atomic<bool>& interrupted) {
  return EnvelopeFinder(order, progress, interrupted).run();
}

}  // namespace holdfast
