#include "lock/lock.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <utility>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "lock/statement_lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

namespace {

// Largest size since it was last set to 0: a lock may contain other locks.
thread_local std::size_t largest_lock = 0;

struct Registry {
  std::vector<Entry<LockType>> entries = catalogue_locks();
  std::deque<LockType> added;  // references to them stay valid
};

Registry& registry() {
  static Registry all;
  return all;
}

std::string stem_of(const std::string& lock) {
  const std::string shared = find_entry(locks(), lock)->statements;
  return shared.empty() ? lock : shared;
}

const ServerType& server_of(const std::string& lock) {
  return server_type(find_entry(locks(), lock)->server);
}

}  // namespace

const std::vector<Entry<LockType>>& locks() {
  return registry().entries;
}

void add_lock(const std::string& name, LockType type) {
  Registry& all = registry();
  if (find_entry(all.entries, name) != nullptr) {
    throw BadInput("two locks have the name '" + name + "'; remedy: choose another name");
  }
  all.added.push_back(std::move(type));
  all.entries.push_back({name, &all.added.back()});
}

const LockType& lock_type(const std::string& name) {
  if (const LockType* found = find_entry(locks(), name)) return *found;
  throw HarnessError("unknown lock '" + name + "'");
}

std::vector<std::string> LockType::promises() const {
  if (manifest != nullptr && manifest->promises) return promised_properties(*manifest);
  return properties_promised_by({.fenced = fenced,
                                 .has_owners = renews || renews_in_background || renews_unseen || releases,
                                 .asked = !scheduled,
                                 .tells = loss_notice_ms > 0,
                                 .tells_leader = tells_leader && tick_ms > 0,
                                 .asserts = manifest != nullptr});
}

void* Lock::operator new(std::size_t size) {
  largest_lock = std::max(largest_lock, size);
  return ::operator new(size);
}

void Lock::operator delete(void* lock) {
  ::operator delete(lock);
}

bool keeps_nothing(const LockType& type) {
  if (type.file != nullptr) return true;  // its only member is the file, which never changes
  largest_lock = 0;
  const auto lock = type.make();
  return largest_lock == sizeof(Lock);  // 0: made in another way, so nothing is known
}

std::int64_t promised_lease_ms(const LockType& type, std::int64_t lease_ms) {
  constexpr std::int64_t kWhole_ms = 1000;
  return type.whole_seconds ? (lease_ms + kWhole_ms - 1) / kWhole_ms * kWhole_ms : lease_ms;
}

std::int64_t watchdog_delay_ms(const LockType& type, std::int64_t lease_ms) {
  return type.watchdog_ms > 0 ? type.watchdog_ms : lease_ms / 3;
}

std::string topology_for(const LockType& type) {
  const std::vector<Topology>& all = server_type(type.server).topologies;
  for (const Topology& topology : all) {
    if (topology.independent == type.several_servers) return topology.name;
  }
  throw HarnessError("no topology of " + type.server + " has independent servers");
}

std::int64_t longest_wait_ms(const LockType& type) {
  return type.waits ? type.waits_ms : 0;
}

// Also for a lock that promises no progress: its other promises are judged. A lock in C++ has time-outs.
bool judges_calls(const LockType& type) {
  return type.manifest != nullptr;
}

LockRef parse_lock_ref(const std::string& text) {
  LockRef ref;
  const auto plus = text.find('+');
  ref.lock = text.substr(0, plus);
  if (find_entry(locks(), ref.lock) == nullptr) {
    throw BadInput(unknown_word("lock", ref.lock, entry_names(locks())) +
                   "; remedy: use a name from holdfast list locks, or add --adapter FILE (the lock.json of a lock in "
                   "another language) or --lock-file FILE (a file of statements)");
  }
  if (plus == std::string::npos) return ref;
  ref.variant = text.substr(plus + 1);
  const ServerType& server = server_of(ref.lock);
  if (server.variants.empty()) {
    throw BadInput("'" + text + "': a connection to " + server.title + " has no variants; remedy: " + ref.lock);
  }
  const auto known = server.variant_names();
  if (std::find(known.begin(), known.end(), ref.variant) == known.end()) {
    throw BadInput(unknown_word("variant", ref.variant, known));
  }
  return ref;
}

const LockType& type_of_ref(const std::string& text) {
  const LockRef ref = parse_lock_ref(text);
  return lock_type(ref.lock);
}

std::string isolation_of(const LockType& type) {
  return type.isolation.empty() ? server_type(type.server).isolation : type.isolation;
}

std::vector<std::string> leases_without_tokens(const std::vector<std::string>& locks) {
  std::vector<std::string> out;
  std::copy_if(locks.begin(), locks.end(), std::back_inserter(out), [](const std::string& lock) {
    const LockType& type = type_of_ref(lock);
    return type.lease && !type.fenced;
  });
  return out;
}

StatementFile lock_file(const std::string& lock) {
  const LockType& type = lock_type(lock);
  if (type.manifest != nullptr) return {};
  if (type.file != nullptr) return {type.file->path, type.file->text};
  const StatementForm& form = server_of(lock).form;
  const std::string name = stem_of(lock) + "." + form.folder;
  StatementFile out{std::string(form.folder) + "/" + name, form.text(name)};
  if (out.text.empty()) throw HarnessError(out.path + " is missing");
  return out;
}

std::vector<std::string> statement_names(const std::string& lock) {
  if (lock_type(lock).manifest != nullptr) return {};
  return server_of(lock).form.names(lock_file(lock));
}

}  // namespace holdfast
