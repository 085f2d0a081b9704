#include "virtual_time/timekeeper.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "lab/process.hpp"
#include "virtual_time/clock_calls.hpp"
#include "virtual_time/process_files.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortNap_ns = 20'000;
constexpr std::int64_t kLongNap_ns = 2 * kMillisecond_ns;
constexpr std::int64_t kReadLate_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kLookAtAll_ns = 3 * kMillisecond_ns;  // between two looks at all threads
// Waits that slack does not protect from the kernel are restarted this long before their end, plus the longest recent
// turns.
constexpr std::int64_t kKernelSoon_ns = 3 * kMillisecond_ns;
constexpr std::int64_t kTurns = 2;
constexpr std::int64_t kKernelNow_ns = 50'000;  // left to the kernel, which is faster
constexpr std::int64_t kTogether_ns = 200'000;
constexpr std::int64_t kUnknown_ns = 3 * kSecond_ns;
constexpr std::int64_t kSettled_ns = 300'000;  // a wait measured by the kernel is overdue after this time
constexpr std::uint64_t kTurnsBetweenPrices = 256;
constexpr std::int64_t kLeastCost_ns = 2 * kSecond_ns;    // of processor time, before skips are found to be dear
constexpr std::int64_t kMostCostPercent = 70;             // of the time that has passed
constexpr std::int64_t kStuck_ns = 50 * kMillisecond_ns;  // bytes that stay in flight wait for the kernel's timers

std::int64_t own_processor_ns() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::int64_t{used.tv_sec} * kSecond_ns + used.tv_nsec;
}

// This program's file may have been replaced meanwhile.
const char* file_of(const std::string& program) {
  return program == own_program() ? "/proc/self/exe" : program.c_str();
}

// In the child: installs its filter, sends the listener to the parent, and executes the program.
[[noreturn]] void execute(const char* file, const std::vector<std::string>& argv, int tell) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(kTimerSlack_ns));
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int listener = install_call_filter();
  const int told = listener < 0 ? -errno : listener;
  if (::write(tell, &told, sizeof told) == sizeof told && listener >= 0) ::execv(file, words.data());
  ::_exit(127);
}

int listener_of(pid_t child, int number) {
  const auto opened = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  const auto out = static_cast<int>(::syscall(SYS_pidfd_getfd, opened, number, 0));
  const int error = errno;
  ::close(opened);
  if (out < 0) throw HarnessError(kNoVirtualTime + std::string("the filter of a program: ") + system_text(error));
  return out;
}

}  // namespace

Timekeeper::Timekeeper(const TimeFlaws& flaws)
    : flaws_(flaws),
      passing_(clock_),
      follower_(calls_, clock_),
      timers_(calls_, clock_),
      load_file_(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {
  constexpr unsigned long kOwnSlack_ns = 1000;  // naps are short
  ::prctl(PR_SET_TIMERSLACK, kOwnSlack_ns);
}

Timekeeper::~Timekeeper() {
  for (const WatchedProcess& process : table_.processes()) ::kill(process.number(), SIGKILL);
  for (const pid_t process : started_) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  ::close(load_file_);
}

pid_t Timekeeper::start(const std::vector<std::string>& argv) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) throw HarnessError("virtual time: " + system_text(errno));
  const char* const file = file_of(argv.front());
  const pid_t child = ::fork();
  if (child == 0) execute(file, argv, pipe[1]);
  ::close(pipe[1]);
  int told = 0;
  const bool heard = child > 0 && ::read(pipe[0], &told, sizeof told) == sizeof told;
  ::close(pipe[0]);
  if (!heard) throw HarnessError("virtual time: a program cannot be started");
  if (told < 0) {
    throw Unavailable("virtual time: the kernel cannot hold system calls: " + system_text(-told) +
                      "; remedy: use Linux 5.19 or later, without a seccomp filter that forbids another one");
  }
  calls_.add(listener_of(child, told));
  started_.push_back(child);
  serve(kSecond_ns);  // handles its execve
  return child;
}

bool Timekeeper::serve(std::int64_t timeout_ns) {
  bool served = false;
  while (const auto call = calls_.next(served ? 0 : timeout_ns)) {
    answer(*call);
    served = true;
  }
  return served;
}

void Timekeeper::answer(const HeldCall& call) {
  if (call.number == SYS_execve || call.number == SYS_execveat) {
    if (const auto process = follower_.follow(call)) timers_.executed(*process);
  } else if (reads_clock(call)) {
    answer_clock(calls_, call, clock_);
  } else {
    timers_.handle(call);
  }
}

bool Timekeeper::has_ended(pid_t process) {
  int status = 0;
  for (pid_t got = 0; (got = ::waitpid(-1, &status, WNOHANG)) > 0;) ended_[got] = status;
  return ended_.count(process) > 0;
}

int Timekeeper::run_until_ended(pid_t process) {
  last_turn_ns_ = monotonic_ns();
  begin_ns_ = clock_.now_ns();
  begin_cost_ns_ = own_processor_ns();
  for (std::uint64_t turn = 1; !has_ended(process); ++turn) {
    step();
    if (turn % kTurnsBetweenPrices == 0) refuse_dear_skips();
  }
  started_.erase(std::remove(started_.begin(), started_.end(), process), started_.end());
  return ended_[process];
}

// In real time several trials wait side by side on a processor; here each keeps one busy.
void Timekeeper::refuse_dear_skips() {
  if (clock_.work_takes_no_time()) return;
  const std::int64_t cost_ns = own_processor_ns() - begin_cost_ns_;
  const std::int64_t passed_ns = clock_.now_ns() - begin_ns_;
  if (cost_ns < kLeastCost_ns || cost_ns < passed_ns * kMostCostPercent / 100) return;
  throw HarnessError(kNoVirtualTime + std::string(kRealTimeIsFaster) + " (" +
                     std::to_string(cost_ns / kMillisecond_ns) + " ms of processor time to skip " +
                     std::to_string(passed_ns / kMillisecond_ns) + " ms)");
}

// A quick look finds most of the threads that have run. If it finds none, all are checked twice: first that each
// sleeps, then that none has run since its last look. If so, all were waiting when the first check began, after the
// traffic was checked. Bytes in flight at that moment either still are, or have woken a thread, which the checks see.
void Timekeeper::step() {
  const bool served = serve(nap_ns_);
  const std::int64_t host_ns = monotonic_ns();
  late_turn_ns_ = std::max(host_ns - last_turn_ns_, late_turn_ns_ * 7 / 8);
  last_turn_ns_ = host_ns;
  if (served) {
    nap_ns_ = 0;
    last_running_ = nullptr;
    return;
  }
  if (last_runs_still(host_ns)) return while_running();
  refresh_threads(host_ns);
  bool is_in_flight = false;
  Activity activity = look_at_those_that_ran(host_ns);
  if (activity == Activity::quiet) {
    is_in_flight = !flaws_.looks_at_no_traffic && traffic_.in_flight();
    if (!is_in_flight) in_flight_since_ns_ = 0;
    activity = look_at_all(host_ns);
  }
  if (activity != Activity::quiet) in_flight_counted_ns_ = 0;
  if (activity == Activity::running) return while_running();
  nap_ns_ = 0;
  if (activity == Activity::changed || begin_prompt_waits_again(kNever_ns)) return;
  if (is_in_flight) return while_in_flight();
  if (!serve(0)) skip();
}

// The last thread that ran probably still runs, so usually only that one is checked.
bool Timekeeper::last_runs_still(std::int64_t host_ns) {
  if (last_running_ == nullptr || host_ns - looked_all_ns_ >= kLookAtAll_ns) return false;
  const WatchedThread::Look look = last_running_->look(passing_);
  if (look != WatchedThread::Look::waits_still) traffic_.note_ran(last_running_->process());
  note_early(*last_running_);
  if (look == WatchedThread::Look::gone) table_.note_ended(*last_running_);
  return look == WatchedThread::Look::runs;
}

Timekeeper::Activity Timekeeper::look_at(WatchedThread& thread, std::int64_t host_ns) {
  using Look = WatchedThread::Look;
  const Look look = thread.look(passing_);
  if (look != Look::waits_still) traffic_.note_ran(thread.process());
  note_early(thread);
  if (look == Look::runs) {
    note_unknown(thread.unknown_call(), host_ns);
    last_running_ = &thread;
    return Activity::running;
  }
  if (look == Look::gone) table_.note_ended(thread);
  return look == Look::waits_still ? Activity::quiet : Activity::changed;
}

Timekeeper::Activity Timekeeper::look_at_those_that_ran(std::int64_t host_ns) {
  looked_all_ns_ = host_ns;
  Activity out = Activity::quiet;
  for (WatchedProcess& process : table_.processes()) {
    if (!process.may_have_run()) continue;
    for (WatchedThread* thread : process.threads()) {
      if (thread->has_not_run()) continue;
      const Activity activity = look_at(*thread, host_ns);
      if (activity == Activity::running) return activity;
      if (activity == Activity::changed) out = activity;
    }
    process.note_all_wait();
  }
  return out;
}

Timekeeper::Activity Timekeeper::look_at_all(std::int64_t host_ns) {
  Activity out = Activity::quiet;
  const auto& threads = table_.threads();
  const bool all_sleep = std::all_of(threads.begin(), threads.end(), [](const auto* at) { return at->is_asleep(); });
  for (WatchedThread* thread : threads) {
    if (all_sleep && thread->has_not_run()) continue;
    const Activity activity = look_at(*thread, host_ns);
    if (activity == Activity::running) return activity;
    if (activity == Activity::changed) out = activity;
  }
  unknown_call_ = -1;
  if (!all_sleep) return Activity::changed;
  return out == Activity::quiet && table_.settle() ? after_new_threads() : out;
}

// While a thread is in a call that may wait for an unknown time, the clock is stopped. Most such calls end soon.
void Timekeeper::note_unknown(long call, std::int64_t host_ns) {
  if (call < 0 || call != unknown_call_) unknown_since_ns_ = host_ns;
  unknown_call_ = call;
  if (call < 0) return;
  ++seen_.unknown_calls[call];
  if (host_ns - unknown_since_ns_ < kUnknown_ns) return;
  throw HarnessError(kNoVirtualTime + ("a program waits in system call " + std::to_string(call)) +
                     " with an unknown deadline");
}

void Timekeeper::note_early(WatchedThread& thread) {
  const std::int64_t early_ns = thread.take_early_ns();
  if (early_ns <= 0) return;
  ++seen_.early_ends;
  seen_.most_early_ns = std::max(seen_.most_early_ns, early_ns);
  clock_.advance_to(clock_.now_ns() + early_ns);
}

// The last process number assigned in this namespace shows whether there are new threads or processes.
void Timekeeper::refresh_threads(std::int64_t host_ns) {
  const std::string load = read_at_once(load_file_);
  bool changed = table_.follow(std::atoi(load.c_str() + load.rfind(' ') + 1));
  if (host_ns - read_late_ns_ >= kReadLate_ns) {
    read_late_ns_ = host_ns;
    changed = table_.read_late() || changed;
  }
  if (changed) after_new_threads();
}

Timekeeper::Activity Timekeeper::after_new_threads() {
  const auto& threads = table_.threads();
  if (std::find(threads.begin(), threads.end(), last_running_) == threads.end()) last_running_ = nullptr;
  for (const pid_t process : table_.take_ended_processes()) timers_.forget(process);
  for (const WatchedProcess& process : table_.processes()) traffic_.watch(process.number());
  return Activity::changed;
}

void Timekeeper::while_running() {
  const std::int64_t host_ns = monotonic_ns();
  begin_prompt_waits_again(host_ns + kKernelSoon_ns + kTurns * late_turn_ns_);
  wake_overdue(host_ns);
  nap_ns_ = std::clamp<std::int64_t>(nap_ns_ * 3 / 2, kShortNap_ns, kLongNap_ns);
}

void Timekeeper::wake_overdue(std::int64_t host_ns) {
  timers_.fire();
  for (WatchedThread* thread : table_.threads()) {
    const WaitEnd& end = thread->end();
    if (!thread->waits() || thread->is_stopped()) continue;
    if (end.is_prompt && end.kernel_ns - host_ns < kKernelNow_ns) continue;
    const std::int64_t late_ns = clock_.now_ns() - end.virtual_ns;
    if (late_ns < (end.is_prompt ? kSettled_ns : 0)) continue;
    seen_.most_late_ns = std::max(seen_.most_late_ns, late_ns);
    ++(thread->wake(clock_) ? seen_.wakes : seen_.missed_wakes);
    return;
  }
}

void Timekeeper::while_in_flight() {
  ++seen_.in_flight_looks;
  const std::int64_t host_ns = monotonic_ns();
  if (in_flight_since_ns_ == 0) in_flight_since_ns_ = host_ns;
  if (host_ns - in_flight_since_ns_ > kStuck_ns) {
    const std::int64_t passed_ns = in_flight_counted_ns_ == 0 ? 0 : host_ns - in_flight_counted_ns_;
    in_flight_counted_ns_ = host_ns;
    seen_.in_flight_ns += passed_ns;
    clock_.advance_to(std::min(clock_.now_ns() + passed_ns, next_ns()));
    wake_due();
  }
  nap_ns_ = std::clamp<std::int64_t>((host_ns - in_flight_since_ns_) / 4, kShortNap_ns, kMillisecond_ns);
}

std::int64_t Timekeeper::next_ns() const {
  std::int64_t out = timers_.next_ns();
  for (const WatchedThread* thread : table_.threads()) {
    if (thread->waits() && !thread->is_stopped()) out = std::min(out, thread->end().virtual_ns);
  }
  return out;
}

// End of the last wait due by then: waits that end at nearly the same time end together, within the kernel's slack.
std::int64_t Timekeeper::last_end_until(std::int64_t until_ns) const {
  std::int64_t out = 0;
  for (const WatchedThread* thread : table_.threads()) {
    const bool waits = thread->waits() && !thread->is_stopped();
    if (waits && thread->end().virtual_ns <= until_ns) out = std::max(out, thread->end().virtual_ns);
  }
  return std::max(out, next_ns());
}

// Waits that the kernel would end by its own clock until then, before the lab's clock reaches their end.
bool Timekeeper::begin_prompt_waits_again(std::int64_t until_host_ns) {
  bool any = false;
  for (WatchedThread* thread : table_.threads()) {
    const bool ends = thread->waits() && thread->end().is_prompt && thread->end().kernel_ns < until_host_ns;
    if (!ends || thread->is_stopped() || thread->end().virtual_ns <= clock_.now_ns()) continue;
    thread->begin_again(clock_);
    any = true;
  }
  return any;
}

void Timekeeper::skip() {
  const std::int64_t first_ns = next_ns();
  if (clock_.tell_quiet(first_ns)) return;
  if (first_ns >= kNever_ns) {  // nothing will happen by itself
    nap_ns_ = kLongNap_ns;
    return;
  }
  const std::int64_t before_ns = clock_.now_ns();
  const std::int64_t early_ns = flaws_.ends_early_ns;
  const std::int64_t next =
      early_ns == 0 ? last_end_until(first_ns + kTogether_ns) : std::max(first_ns - early_ns, before_ns + early_ns / 8);
  if (next > before_ns) {
    ++seen_.skips;
    seen_.skipped_ns += next - before_ns;
    clock_.advance_to(next);
  }
  wake_due();
}

void Timekeeper::wake_due() {
  timers_.fire();
  std::vector<WatchedThread*> due;
  for (WatchedThread* thread : table_.threads()) {
    if (thread->waits() && !thread->is_stopped() && thread->end().virtual_ns <= clock_.now_ns() + flaws_.ends_early_ns)
      due.push_back(thread);
  }
  std::sort(due.begin(), due.end(),
            [](const auto* a, const auto* b) { return a->end().virtual_ns < b->end().virtual_ns; });
  std::vector<std::unique_ptr<TracedThread>> woken;  // they continue together, as if one timer had woken them
  for (WatchedThread* thread : due) {
    woken.push_back(thread->wake(clock_));
    ++(woken.back() ? seen_.wakes : seen_.missed_wakes);
    last_running_ = thread;
  }
}

}  // namespace holdfast
