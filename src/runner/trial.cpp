#include "runner/trial.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "adapter/manifest.hpp"
#include "adapter/scheduler_wait.hpp"
#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/plan.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/run_directory.hpp"
#include "history/history_source.hpp"
#include "lab/launch_lab.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "runner/merge.hpp"
#include "runner/stall_meter.hpp"
#include "runner/trial_lab.hpp"
#include "runner/trial_world.hpp"
#include "virtual_time/time_canary.hpp"

namespace holdfast {
namespace {

// Locks that store whole seconds depend on the fraction of the second in which they were taken; a scenario may fix it.
//
//   sleep_ns(until_fraction_ns(950));   // until 950 ms past a whole second of the wall clock
std::int64_t until_fraction_ns(std::int64_t align_ms) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() % 1000;
  return (align_ms - now_ms + 1000) % 1000 * 1'000'000;
}

bool anyone_was_refused(const ControlPage& page) {
  return std::any_of(page.keys.begin(), page.keys.end(),
                     [](const KeySlot& key) { return key.last_refusal_ns.load() > 0; });
}

bool all_granted_since(const ControlPage& page, std::int64_t keys, std::int64_t since_ns) {
  return std::all_of(page.keys.begin(), page.keys.begin() + keys,
                     [since_ns](const KeySlot& key) { return key.last_grant_ns.load() >= since_ns; });
}

constexpr std::int64_t kClientStart_ms = 20'000;
constexpr std::int64_t kMorePerClient_ms = 100;
constexpr std::int64_t kClientEnd_ms = 8'000;
constexpr std::int64_t kLonger_ms = 1'000;  // beyond the lease and the progress bound, so that a call can be judged
constexpr std::int64_t kLook_ms = 10;
constexpr std::int64_t kSlowLook_ms = 50;                  // in skipped time, where each look wakes a program
constexpr std::int64_t kAdapters = std::int64_t{1} << 32;  // numbers of adapters, above those of clients
constexpr std::int64_t kWaiter_ms = 10'000;                // a lock without release has silences of seconds
constexpr const char* kOutlasted = "SIGKILL by holdfast, not a planned fault: the client did not end when asked";

class Trial {
 public:
  explicit Trial(const TrialOrder& order)
      : folder_(order.folder),
        plan_(load_plan(InputFile::in(folder_, "plan.json"))),
        type_(*find_entry(locks(), parse_lock_ref(plan_.lock).lock)),
        skips_time_(order.time == TimeMode::skipped),
        page_(SharedPage::create()),
        lab_(folder_, plan_, order.target, order.hosts, order.time),
        world_(page_, lab_, plan_),
        nemesis_(world_, plan_.faults, order.sabotage),
        judges_calls_(judges_calls(type_) && order.hosts.empty()) {
    if (skips_time_) page_->beat_ns = Heartbeat::kSlowBeat_ns;
  }

  void run() {
    check_lock_file(parse_lock_ref(plan_.lock).lock, plan_.adapter);
    try {
      lab_.start();
      start_clients();
      nemesis_.check_available();
      load();
      heal_and_watch();
      end_clients();
      write_history();
    } catch (const HarnessError& failed) {
      const auto before = nemesis_.errors();  // a failed fault is the likelier cause
      world_.lab_time().close();
      if (before.empty()) throw;
      throw HarnessError(before.front() + "; then " + failed.what());
    } catch (...) {
      world_.lab_time().close();  // lets the nemesis's threads end
      throw;
    }
    lab_.stop();
    if (!unavailable_.empty()) throw Unavailable(unavailable_);
  }

 private:
  void start_clients();
  void load();
  void heal_and_watch();
  std::optional<int> code_of(std::uint32_t client, std::int64_t until_ns);
  bool hangs_in_a_call(std::uint32_t client) const;
  void end_clients();
  void watch();
  bool watch_until(const std::function<bool()>& so, const std::function<bool()>& too_late);
  void watch_until(std::int64_t time_ns);
  std::vector<Watched> watched();
  std::int64_t look_ms() const { return skips_time_ ? kSlowLook_ms : kLook_ms; }
  void look_at_stalls();
  void write_history();
  std::string client_failed(std::uint32_t client, const std::string& how) const;
  void tell(FaultStep step, const std::string& detail, const std::vector<std::uint32_t>& clients = {});

  std::string folder_;
  Plan plan_;
  const LockType& type_;
  const bool skips_time_;
  SharedPage page_;
  TrialLab lab_;
  TrialWorld world_;
  ClientRoster& clients_ = world_.clients();
  Nemesis nemesis_;
  std::vector<Event> told_;
  std::vector<std::string> errors_;
  std::string unavailable_;             // reason, if it was found during the trial
  std::unique_ptr<TimeCanary> canary_;  // null: in real time
  std::unique_ptr<StallMeter> stalls_;
  std::optional<OutsideStops> outside_;
  std::optional<ClusterWatch> cluster_;
  bool waiter_seen_ = false;
  const bool judges_calls_;
};

void Trial::start_clients() {
  for (const auto& client : plan_.clients) {
    if (!client.spare) clients_.start(client);
  }
  std::uint32_t ready = 0;
  const auto all_ready = [&] {
    while (ready < clients_.started() && clients_.ready(ready)) ++ready;
    return ready == clients_.started();
  };
  const std::int64_t start_ms = kClientStart_ms + longest_start_ms(type_);
  if (!watch_until(all_ready, after_ms(start_ms + kMorePerClient_ms * clients_.started()))) {
    throw HarnessError("client " + std::to_string(ready) + " did not become ready");
  }
}

// Its own message, if it wrote one.
std::string Trial::client_failed(std::uint32_t client, const std::string& how) const {
  const std::string number = std::to_string(client);
  const std::string own = last_words(folder_ + "/client-" + number + ".log").own;
  return "client " + number + (own.empty() ? " " + how : ": " + own) + "; see client-" + number + ".log";
}

// Checks everything that could fail.
void Trial::watch() {
  if (stalls_) look_at_stalls();
  for (std::uint32_t c = 0; c < clients_.started(); ++c) {
    if (clients_.ended_by_fault(c)) continue;
    const auto code = clients_.process(c).wait(0);
    if (code && !clients_.ended_by_fault(c)) {  // checked again: the kill may have come in between
      throw HarnessError(client_failed(c, "exited unexpectedly with code " + std::to_string(*code)));
    }
  }
  lab_.watch();
  waiter_seen_ = waiter_seen_ || world_.anybody_waits();
}

// Polls every few milliseconds until the condition is true or the time is over.
bool Trial::watch_until(const std::function<bool()>& so, const std::function<bool()>& too_late) {
  const auto look = [&] {
    watch();
    return so();
  };
  return poll_until(look, look_ms(), too_late);
}

// Waits until a time of the trial.
void Trial::watch_until(std::int64_t time_ns) {
  watch_until([&] { return world_.time().now_ns() >= time_ns; }, kNeverTooLate);
}

std::vector<Watched> Trial::watched() {
  const auto server = static_cast<pid_t>(lab_.lock_server().serving().process_number());
  std::vector<Watched> out;
  if (server > 0) out.push_back({-server, {}, server, "the server"});  // a restarted server is another process
  for (std::uint32_t c = 0; c < clients_.started(); ++c) {
    if (clients_.ended_by_fault(c)) continue;
    const std::string name = "client " + std::to_string(c);
    out.push_back({c, {c}, clients_.process(c).pid(), name});
    const pid_t adapter = page_->clients.at(c).lock_group.load();
    if (adapter > 0) out.push_back({kAdapters + c, {c}, adapter, "the adapter of " + name, true});
  }
  return out;
}

void Trial::look_at_stalls() {
  const auto add = [this](const std::vector<OutsideStop>& stops) {
    for (const OutsideStop& stop : stops) stalls_->stood_still(stop);
  };
  for (std::uint32_t c = 0; c < clients_.started(); ++c) add(outside_->client(c, page_->clients.at(c).heartbeat));
  const std::int64_t now_ns = monotonic_ns();
  std::int64_t number = 0;
  for (const TrialServer* server : lab_.lock_server().processes()) {
    add(outside_->server(--number, "the lock's server", server->state(), now_ns));
  }
  if (const TrialServer* server = lab_.resource_server()) {
    add(outside_->server(--number, "the resource's server", server->state(), now_ns));
  }
  stalls_->look(skips_time_ ? std::vector<Watched>{} : watched());
}

void Trial::load() {
  page_->zero_ns = monotonic_ns();
  stalls_ = std::make_unique<StallMeter>(page_->zero_ns, page_->beat_ns);
  cluster_.emplace(plan_.faults, lab_.lock_server());
  if (skips_time_) canary_ = lab_.start_canary();
  outside_.emplace(clients_.planned_stops(), page_->beat_ns);
  nemesis_.start();
  watch_until([this] { return nemesis_.early_acted(); }, kNeverTooLate);
  if (plan_.load.align_ms >= 0) watch_until(world_.time().now_ns() + until_fraction_ns(plan_.load.align_ms));
  world_.lab_time().begin_load();
  page_->go.store(1);
  futex_wake(page_->go);
  watch_until(world_.time().now_ns() + plan_.load.duration_ms * 1'000'000);
  tell(FaultStep::load_end, "");
}

// Progress is judged on clients that wait after all faults are healed, so the final phase begins when one does.
void Trial::heal_and_watch() {
  world_.lab_time().close();
  watch_until([this] { return nemesis_.all_healed(); }, kNeverTooLate);
  const bool anyone_waited = anyone_was_refused(*page_) || waiter_seen_;
  watch_until([this] { return world_.anybody_waits(); }, after_ms(anyone_waited ? kWaiter_ms : 0));
  const std::int64_t healed_ns = world_.time().now_ns();
  tell(FaultStep::healed, plan_.faults.empty() ? "no fault was planned" : "all faults are healed");
  const std::int64_t until_ns = healed_ns + final_phase_ns(plan_, type_);
  const auto all_granted = [&] { return all_granted_since(*page_, plan_.load.keys, healed_ns); };
  watch_until(all_granted, [&] { return world_.time().now_ns() >= until_ns; });
}

// Continues to watch for stalls and server failures: what keeps a client from ending is evidence.
std::optional<int> Trial::code_of(std::uint32_t client, std::int64_t until_ns) {
  std::optional<int> code;
  const auto ended = [&] {
    look_at_stalls();
    lab_.watch();
    code = clients_.process(client).wait(0);
    return code.has_value();
  };
  poll_until(ended, look_ms(), [&] { return world_.time().now_ns() >= until_ns; });
  return code;
}

// A thread is in a call of its lock that does not return: this is recorded, the client is ended, and the checker
// decides whether it is a violation.
bool Trial::hangs_in_a_call(std::uint32_t client) const {
  const ClientSlot& slot = page_->clients.at(client);
  return judges_calls_ && slot.failed.load() == 0 && is_open(current_operation(slot));
}

void Trial::end_clients() {
  page_->stop.store(1);
  const std::int64_t call_ms = plan_.load.lease_ms + plan_.load.progress_bound_ms + kLonger_ms;
  const std::int64_t end_ms =
      (judges_calls_ ? std::max(kClientEnd_ms, call_ms) : kClientEnd_ms) + longest_wait_ms(type_);
  const std::int64_t until_ns = world_.time().now_ns() + end_ms * 1'000'000;
  for (std::uint32_t c = 0; c < clients_.started(); ++c) {
    const auto code = code_of(c, until_ns);
    if (!code && hangs_in_a_call(c)) {
      tell(FaultStep::unanswered, "it had not ended " + std::to_string(end_ms) + " ms after the request to end", {c});
      clients_.kill(c, kOutlasted);
      continue;
    }
    if (!code) {  // unknown reason: an error, but the earlier history is judged
      errors_.push_back("client " + std::to_string(c) + " does not end");
      clients_.kill(c, kOutlasted);
      continue;
    }
    // A client that failed just before its kill must not be excused by the kill.
    const int expected = clients_.ended_by_fault(c) ? 128 + SIGKILL : 0;
    if (*code != expected) throw HarnessError(client_failed(c, "failed"));
  }
}

void Trial::tell(FaultStep step, const std::string& detail, const std::vector<std::uint32_t>& clients) {
  Event event;
  event.clients = clients;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.time_ns = world_.time().now_ns();
  event.fault = "run";
  event.step = step;
  event.detail = detail;
  told_.push_back(event);
}

HistoryHeader history_header(const Plan& plan, const LockType& type, std::uint32_t clients) {
  HistoryHeader header;
  header.foreign = false;
  header.model = type.fenced ? "fenced" : plan.load.reenter ? "reentrant" : "owner";
  header.lock = plan.lock;
  header.scenario = plan.scenario;
  header.seed = plan.seed;
  header.clients = clients;
  header.lease_ns = type.lease ? plan.load.lease_ms * 1'000'000 : 0;
  header.progress_bound_ns = plan.load.progress_bound_ms * 1'000'000;
  header.faults_planned = !plan.faults.empty();
  header.fenced_resource = type.fenced;
  header.stall_bound_ns = not_counted().empty() ? WaitAccount::kBound_ns : 0;
  header.waits = type.waits;
  header.scheduled = type.scheduled;
  header.cancels = plan.load.cancel_after_ms > 0;
  header.renews_unseen = type.renews_unseen;
  header.reenters = type.reentrant;
  header.tells_loss = type.manifest != nullptr && type.manifest->can_do("lost");
  header.guard_ns = type.guard_ms * 1'000'000;
  header.loss_notice_ns = type.loss_notice_ms * 1'000'000;
  header.promises = type.promises();
  header.minima = plan.minima;
  return header;
}

void Trial::write_history() {
  NemesisReport report = nemesis_.finish();
  if (const auto fell_apart = cluster_->fell_apart()) report.errors.push_back(*fell_apart);
  report.errors.insert(report.errors.end(), errors_.begin(), errors_.end());
  if (report.errors.empty()) unavailable_ = report.unavailable;
  const std::int64_t end_ns = world_.time().now_ns();
  MergeInput input{folder_,
                   clients_.started(),
                   plan_.load.threads,
                   key_names(plan_.load),
                   std::move(report.events),
                   lab_.resource().accepted_writes(end_ns)};
  input.nemesis.insert(input.nemesis.end(), told_.begin(), told_.end());
  const auto kills = clients_.told();
  input.nemesis.insert(input.nemesis.end(), kills.begin(), kills.end());
  stalls_->finish();
  const auto stalls = stalls_->events();
  input.nemesis.insert(input.nemesis.end(), stalls.begin(), stalls.end());
  merge_history(input, history_header(plan_, type_, clients_.started()), folder_ + "/history.jsonl");
  const TrialFacts facts{lab_.server_version(), report.errors, stalls_->stalls(),
                         canary_ ? canary_->doubts() : std::vector<std::string>{}, world_.requests().sent()};
  RunDirectory(folder_).write("facts.json", text_of_json(to_json(facts), 2) + "\n");
}

}  // namespace

std::int64_t final_phase_ns(const Plan& plan, const LockType& type) {
  const std::int64_t lease_s = type.lease ? (plan.load.lease_ms + 999) / 1000 : 0;  // as for locks with whole seconds
  const std::int64_t bound_ms = lease_s * 1000 + 1000 + plan.load.progress_bound_ms;
  return (bound_ms + longest_wait_ms(type) + 2 * plan.load.poll_ms + 500) * 1'000'000;
}

void run_trial(const TrialOrder& order) {
  Trial(order).run();
}

}  // namespace holdfast
