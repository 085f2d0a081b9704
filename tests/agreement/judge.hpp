// Compares the checker's verdict on a made-up history with the reference's.
#pragma once

#include "checker/check.hpp"
#include "tests/agreement/make.hpp"
#include "tests/agreement/permit_reference.hpp"
#include "tests/agreement/timed_reference.hpp"

namespace holdfast::agreement {

inline const char* name_of(Model model) {
  static const char* const kNames[] = {"owner", "reentrant", "plain", "fenced", "lease", "read_write", "semaphore:2"};
  return kNames[static_cast<int>(model)];
}

inline TrialVerdict checked(Model model, const Operations& operations, int ties = 1) {
  ToldHistory told(operations, ties);
  return check_history(told, name_of(model));
}

// The checker does not judge the joint needs of several refusals of permits; so it may find no violation if there is
// none without them (`refusals` false).
inline bool legal(Model model, const Operations& operations, bool refusals = true) {
  if (of_permits(model)) return PermitReference(model == Model::semaphore ? kPermits : 0, refusals, operations).legal();
  return model == Model::lease ? TimedReference(operations).legal() : Reference(model, operations).legal();
}

// A clock too coarse to separate some moments keeps every explanation of a legal history. Leases are a multiple of
// this.
constexpr int kTies = 3;
inline bool violated_by_a_coarse_clock(Model model, const Operations& legal_ones) {
  return checked(model, legal_ones, kTies).judgement == Judgement::violated;
}

struct Compared {
  bool legal = false;
  bool without_refusals = false;
  Judgement said = Judgement::holds;
  bool agrees() const {
    if (said == Judgement::undecided) return true;
    return said == Judgement::violated ? !legal : without_refusals;
  }
  bool missed() const { return agrees() && !legal && said == Judgement::holds; }
};

inline Compared compare(Model model, const Operations& operations, Judgement said) {
  const bool is_legal = legal(model, operations);
  return {is_legal, is_legal || (of_permits(model) && legal(model, operations, false)), said};
}

inline Compared compare(Model model, const Operations& operations) {
  return compare(model, operations, checked(model, operations).judgement);
}

// Two histories on two keys by different processes.
inline Operations side_by_side(const Operations& a, const Operations& b) {
  Operations both = a;
  for (Operation o : b) {
    o.process += kMostProcesses;
    o.key = 1;
    both.push_back(o);
  }
  return both;
}

// The operations that a witness names; those that a reentrant holder did inside a hold belong to it.
inline Operations named(Model model, const Operations& operations, const Witness& witness) {
  const ToldHistory told(operations);
  std::set<std::size_t> chosen;
  for (const auto index : witness.indices) chosen.insert(told.operation_of(index));
  for (std::size_t i = 0; i < operations.size() && model == Model::reentrant; ++i) {
    if (operations[i].is(Does::acquire, Answered::refused)) continue;
    const auto same = [&](std::size_t j, bool before) {
      const Operation& o = operations[j];
      return o.process == operations[i].process && (o.invoked < operations[i].invoked) == before;
    };
    const std::set<std::size_t> named = chosen;
    const bool inside = std::any_of(named.begin(), named.end(), [&](std::size_t j) { return same(j, true); }) &&
                        std::any_of(named.begin(), named.end(), [&](std::size_t j) { return same(j, false); });
    if (inside) chosen.insert(i);
  }
  Operations out;
  for (const std::size_t i : chosen) out.push_back(operations[i]);
  return out;
}

// Operations for a witness of exclusion: a hold ends when its release is called, whatever the answer, or when its
// holder learns that it is over.
inline Operations as_exclusion(Operations operations) {
  for (Operation& o : operations) {
    if (o.does != Does::acquire && o.said == Answered::refused) o.said = Answered::nothing, o.answered = kNoAnswer;
  }
  return operations;
}

// The same without each of its holds: a grant, and what its process did until its next one.
// As it looked when the last of its grants was answered: releases were open that failed, or answered ok, later.
inline Operations before_its_answer(Operations operations) {
  int last = 0;
  for (const Operation& o : operations) last = o.is(Does::acquire, Answered::ok) ? std::max(last, o.answered) : last;
  for (Operation& o : operations) {
    const bool later = o.does == Does::release && (o.said == Answered::failed || o.answered > last);
    if (later) o.said = Answered::nothing, o.answered = kNoAnswer;
  }
  return operations;
}

inline bool again(const Operations& operations, const Operation& grant);
inline std::vector<Operations> without_each_hold(const Operations& operations) {
  std::vector<Operations> all;
  for (const Operation& grant : operations) {
    if (grant.does != Does::acquire || grant.said == Answered::refused || again(operations, grant)) continue;
    int next = kNoAnswer;
    for (const Operation& o : operations) {
      const bool later = o.process == grant.process && o.does == Does::acquire && o.invoked > grant.invoked &&
                         o.said != Answered::refused && o.said != Answered::failed;
      if (later && !again(operations, o)) next = std::min(next, o.invoked);
    }
    Operations rest;
    for (const Operation& o : operations) {
      if (o.process != grant.process || o.invoked < grant.invoked || o.invoked >= next) rest.push_back(o);
    }
    all.push_back(rest);
  }
  return all;
}

// Granted to a process that has not given back all that it was granted before.
inline bool again(const Operations& operations, const Operation& grant) {
  Operations before;
  for (const Operation& o : operations) {
    if (o.process == grant.process && o.invoked < grant.invoked) before.push_back(o);
  }
  std::sort(before.begin(), before.end(), [](const auto& a, const auto& b) { return a.invoked < b.invoked; });
  int depth = 0;
  for (const Operation& o : before) {
    if (o.is(Does::acquire, Answered::ok)) ++depth;
    const bool gone = o.said == Answered::refused && o.does != Does::acquire;
    if (gone) depth = 0;
    if (o.does == Does::release && o.said != Answered::failed) depth = std::max(0, depth - 1);
  }
  return depth > 0;
}

// In a plain lock any acquire and any release make a hold; one that is not over before the others begin may be needed
// to explain them.
inline std::vector<Operations> without_each_plain_hold(const Operations& operations) {
  std::vector<Operations> all;
  for (const Operation& grant : operations) {
    for (const Operation& release : operations) {
      if (grant.does != Does::acquire || release.does != Does::release) continue;
      Operations rest;
      for (const Operation& o : operations) {
        if (&o != &grant && &o != &release) rest.push_back(o);
      }
      const bool over = std::all_of(rest.begin(), rest.end(), [&](const Operation& o) {
        const bool known = grant.said == Answered::ok && release.said == Answered::ok;
        return known && grant.answered < o.invoked && release.answered < o.invoked;
      });
      if (over) all.push_back(rest);
    }
  }
  return all;
}

}  // namespace holdfast::agreement
