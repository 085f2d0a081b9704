#include "driver/load_loop.hpp"

#include <algorithm>
#include <utility>

namespace holdfast {

void LoadLoop::run() {
  while (stage_.begin_round()) round();
}

void LoadLoop::round() {
  std::vector<Grant> held;
  if (gather(held)) rules_.ticks ? lead(held) : work(held);
  let_go(held);
  stage_.end_round(held);
}

bool LoadLoop::gather(std::vector<Grant>& held) {
  for (const auto key : stage_.draw_keys()) {
    Grant grant;
    grant.key = key;
    if (!take(grant, held)) {
      stage_.gave_up();
      return false;
    }
    held.push_back(std::move(grant));
  }
  return true;
}

bool LoadLoop::take(Grant& grant, const std::vector<Grant>& held) {
  stage_.new_owner();
  if (rules_.scheduled) {
    grant.claim = stage_.claim(grant.key);
    return acquire(grant);
  }
  for (int attempt = 0; stage_.tries(attempt, held); ++attempt) {
    grant.claim = stage_.claim(grant.key);
    if (acquire(grant)) return true;
    stage_.refused(grant);
  }
  return false;
}

bool LoadLoop::acquire(Grant& grant) {
  const Answer answer = stage_.operation(Op::acquire, Depth::outer, grant, [&] {
    return rules_.scheduled ? wait_for_job(grant.claim) : ask(grant.claim);
  });
  if (answer.type == EventType::ok) {
    stage_.granted(grant);
    if (answer.reason == Reason::none) return true;
    std::vector<Grant> unwanted{grant};
    let_go(unwanted);
    return false;
  }
  if (answer.type == EventType::info) retire(grant);
  return false;
}

// A client that still waits at the end of the trial was granted nothing.
Answer LoadLoop::wait_for_job(Claim& claim) {
  constexpr std::int64_t kLook_ms = 50;
  while (stage_.goes_on()) {
    if (const auto job = driver_.job(claim, kLook_ms)) return *job;
  }
  return {EventType::fail, Reason::other, {}};
}

// An attempt without an answer stays open, unless the lock itself answers the next one.
Answer LoadLoop::ask(Claim& claim) {
  bool open = false;
  while (true) {
    Answer answer = driver_.acquire(claim);
    if (answer.type == EventType::info && rules_.retries && stage_.goes_on()) {
      open = true;
      stage_.wait_to_retry();
      continue;
    }
    if (open && answer.type == EventType::fail && answer.reason != Reason::busy) answer.type = EventType::info;
    return answer;
  }
}

void LoadLoop::retire(Grant& grant) {
  if (rules_.cleans_up && rules_.releases) release(grant, Depth::outer);
  stage_.retire();
}

void LoadLoop::work(std::vector<Grant>& held) {
  for (Grant& grant : held) {
    stage_.begin_job(grant);
    if (rules_.reenter) reenter(grant);
  }
  if (!hold(held)) return;
  for (Grant& grant : held) stage_.end_job(grant, [this] { driver_.pulse(); });
}

// A tick without an answer neither ends leadership nor allows work: the job runs only in ticks answered with yes.
void LoadLoop::lead(std::vector<Grant>& held) {
  bool told_so = true;
  while (true) {
    if (told_so) work(held);
    const auto is_mine = [](const Grant& grant) { return grant.mine; };
    if (!std::all_of(held.begin(), held.end(), is_mine)) return;
    if (!stage_.next_tick([&] { return lost(held, 0); })) return;
    for (Grant& grant : held) {
      told_so = leads_on(grant);
      if (!grant.mine) return;
    }
  }
}

bool LoadLoop::leads_on(Grant& grant) {
  if (!rules_.asks_in_ticks || driver_.said_lost(grant.claim, 0)) return look(grant);
  return renew(grant).type == EventType::ok;
}

// Acquires the held lock again and releases that, as code does that calls other code taking the same lock. A refusal is
// harmless.
void LoadLoop::reenter(Grant& grant) {
  const Answer again = stage_.operation(Op::acquire, Depth::inner, grant, [&] { return driver_.acquire(grant.claim); });
  if (again.type == EventType::ok && rules_.releases) release(grant, Depth::inner);
}

bool LoadLoop::lost(const std::vector<Grant>& held, std::int64_t free_ms) {
  return std::any_of(held.begin(), held.end(),
                     [&](const Grant& grant) { return driver_.said_lost(grant.claim, free_ms); });
}

// Returns false if the client knows that it has lost part of what its job needs.
bool LoadLoop::hold(std::vector<Grant>& held) {
  stage_.begin_hold();
  while (stage_.next_renewal([&](std::int64_t free_ms) { return lost(held, free_ms); })) {
    for (Grant& grant : held) {
      renew(grant);
      if (!grant.mine) return false;
    }
  }
  bool all = true;
  for (Grant& grant : held) all = look(grant) && all;
  return all;
}

bool LoadLoop::look(Grant& grant) {
  const bool lost = driver_.said_lost(grant.claim, 0);
  grant.mine = !lost && stage_.look(grant, [&] { return driver_.still_held(grant.claim); });
  if (!grant.mine) stage_.leave(grant, lost ? Reason::not_held : Reason::deadline);
  return grant.mine;
}

Answer LoadLoop::renew(Grant& grant) {
  const Answer answer = stage_.operation(Op::renew, Depth::outer, grant, [&] { return driver_.renew(grant.claim); });
  grant.mine = answer.type != EventType::fail || answer.reason != Reason::not_held;
  return answer;
}

Answer LoadLoop::release(Grant& grant, Depth depth) {
  return stage_.operation(Op::release, depth, grant, [&] { return driver_.release(grant.claim); });
}

// In reverse order.
void LoadLoop::let_go(std::vector<Grant>& held) {
  std::for_each(held.rbegin(), held.rend(), [this](Grant& grant) {
    if (grant.mine && !rules_.releases) stage_.leave(grant, Reason::none);
    if (grant.mine && rules_.releases) {
      stage_.before_release(grant);
      release(grant, Depth::outer);
    }
    stage_.let_go(grant);
  });
}

}  // namespace holdfast
