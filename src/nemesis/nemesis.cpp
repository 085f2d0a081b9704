#include "nemesis/nemesis.hpp"

#include <functional>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "nemesis/victims.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLook_ms = 1;

// Asks until there is an answer. Goes on asking when the trial closes: healing is proved then.
std::optional<std::string> prove(World& world, std::int64_t patience_ms,
                                 const std::function<std::optional<std::string>()>& ask) {
  const std::int64_t until_ns = world.now_ns() + patience_ms * 1'000'000;
  return poll_until(ask, kLook_ms, [&] { return world.now_ns() >= until_ns; });
}

bool is_early(const FaultSpec& spec) {
  return spec.at.time_ms == 0;
}

std::string seconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", static_cast<double>(ns) / 1e9);
  return text;
}

}  // namespace

Nemesis::Nemesis(World& world, const std::vector<FaultSpec>& specs, Sabotage sabotage)
    : world_(world), specs_(specs), sabotage_(sabotage) {}

Nemesis::~Nemesis() {
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Nemesis::check_available() {
  for (const auto& spec : specs_) {
    const std::string why = make_fault(spec)->unavailable(world_);
    if (!why.empty()) throw Unavailable("fault " + spec.fault + ": " + why);
  }
}

// Armed here and not by the threads: the load begins when this returns, and its first statement may be the moment.
void Nemesis::start() {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (is_early(specs_[i])) early_.insert(i);
    if (!specs_[i].at.time_ms) world_.arm(specs_[i].at, whose_arrival(specs_[i]), i);
  }
  for (std::size_t i = 0; i < specs_.size(); ++i) threads_.emplace_back([this, i] { carry_out(i); });
}

bool Nemesis::early_acted() {
  const std::lock_guard guard(mutex_);
  return early_.empty();
}

void Nemesis::early_done(std::size_t number) {
  const std::lock_guard guard(mutex_);
  early_.erase(number);
}

bool Nemesis::all_healed() {
  const std::lock_guard guard(mutex_);
  return healed_ == specs_.size();
}

std::vector<std::string> Nemesis::errors() {
  const std::lock_guard guard(mutex_);
  return report_.errors;
}

NemesisReport Nemesis::finish() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  return report_;
}

void Nemesis::carry_out(std::size_t number) {
  const FaultSpec& spec = specs_[number];
  try {
    const auto fault = make_fault(spec);
    const auto victims = wait_moment(number);
    if (victims) {
      strike_and_heal(number, *fault, *victims);
    } else if (!spec.optional) {
      error(spec, "its moment never came; remedy: another `at`, or a longer duration_ms");
    }
  } catch (const std::exception& failed) {
    error(spec, text_of(failed));
  }
  early_done(number);
  const std::lock_guard guard(mutex_);
  ++healed_;
}

// Acts and proves. A client that was stopped at the fault's point goes on in any case, also when the fault fails.
std::optional<std::string> Nemesis::strike(std::size_t number, Fault& fault, const Victims& victims,
                                           bool stopped_there) {
  const Release order = sabotage_.skip_act ? Release::go_on : fault.order();
  const auto prove_it = [&] {
    return prove(world_, fault.patience_ms(), [&] { return fault.acted(world_, victims); });
  };
  try {
    if (!sabotage_.skip_act) fault.act(world_, victims);
    if (sabotage_.fail_act) throw HarnessError("it failed half-way");
    // What the client itself is ordered to do can be seen only once it goes on; all else is in force before it does.
    if (!stopped_there || fault.order() == Release::go_on) {
      auto acted = prove_it();
      if (stopped_there) world_.release(number, order);
      return acted;
    }
  } catch (...) {
    if (stopped_there) world_.release(number, Release::go_on);
    throw;
  }
  world_.release(number, order);
  return prove_it();
}

// `begin` is told with the time before the act, `end` with the time after the heal was seen: a violation that the fault
// made possible always lies between.
void Nemesis::perform(std::size_t number, Fault& fault, const Victims& victims, bool stopped_there) {
  const FaultSpec& spec = specs_[number];
  const std::int64_t begin_ns = world_.now_ns();
  const std::string cause = fault.cause(world_, find_entry(faults(), spec.fault)->cause);
  std::optional<std::string> acted;
  std::string why = "it was not seen to take effect";
  try {
    acted = strike(number, fault, victims, stopped_there);
  } catch (const std::exception& failed) {  // half of it may be in force: it is healed like a whole one
    why = text_of(failed);
  }
  early_done(number);
  if (acted) {
    tell(spec, victims, {FaultStep::begin, begin_ns, cause, *acted});
  } else {
    error(spec, why);
  }
  const std::int64_t lasted_ns = wait_and_heal(number, fault, victims, acted.has_value()) - begin_ns;
  const auto healed =
      prove(world_, acted ? fault.recovery_ms() : kProof_ms, [&] { return fault.healed(world_, victims); });
  if (acted) {
    const std::string lasted = fault.lasts() ? *acted + " for " + seconds(lasted_ns) : *acted;
    tell(spec, victims, {FaultStep::end, world_.now_ns(), cause, healed ? lasted + "; " + *healed : lasted});
  }
  if (acted && !healed) error(spec, "it was not seen to heal");
}

// A fault of a server strikes nobody in particular.
void Nemesis::tell(const FaultSpec& spec, const Victims& victims, const Telling& telling) {
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.time_ns = telling.time_ns;
  event.fault = spec.fault;
  event.step = telling.step;
  event.cause = telling.cause;
  if (!strikes_servers(spec)) event.clients = victims;
  event.detail = telling.detail;
  const std::lock_guard guard(mutex_);
  report_.events.push_back(event);
}

void Nemesis::error(const FaultSpec& spec, const std::string& why) {
  const std::lock_guard guard(mutex_);
  report_.errors.push_back("fault " + spec.fault + ": " + why);
}

}  // namespace holdfast
