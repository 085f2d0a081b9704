#include "lock/lock.hpp"

#include <algorithm>
#include <new>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {

std::string_view embedded_sql(std::string_view name);
std::string_view embedded_redis(std::string_view name);

namespace {

// The largest since it was last set to 0: a lock may be made of others.
thread_local std::size_t largest_lock = 0;

std::string stem_of(const std::string& lock) {
  const std::string shared = find_entry(locks(), lock)->statements;
  return shared.empty() ? lock : shared;
}

LockFile there(LockFile file) {
  if (file.text.empty()) throw HarnessError(file.path + " is missing");
  return file;
}

LockFile sql_file(const std::string& stem) {
  return there({"sql/" + stem + ".sql", embedded_sql(stem + ".sql"), false});
}

LockFile redis_file(const std::string& stem) {
  return there({"redis/" + stem + ".redis", embedded_redis(stem + ".redis"), true});
}

}  // namespace

std::vector<std::string> LockType::promises() const {
  std::vector<std::string> out{"belief_exclusion", "lease_exclusion", "progress", "resource"};
  if (fenced) out.emplace_back("fencing");
  if (renews || renews_in_background || releases) out.emplace_back("ownership");
  return out;
}

void* Lock::operator new(std::size_t size) {
  largest_lock = std::max(largest_lock, size);
  return ::operator new(size);
}

void Lock::operator delete(void* lock) {
  ::operator delete(lock);
}

bool keeps_nothing(const LockType& type) {
  largest_lock = 0;
  const auto lock = type.make();
  return largest_lock == sizeof(Lock);  // 0: made in another way, and nothing is known of it
}

std::int64_t promised_lease_ms(const LockType& type, std::int64_t lease_ms) {
  constexpr std::int64_t kWhole_ms = 1000;
  return type.whole_seconds ? (lease_ms + kWhole_ms - 1) / kWhole_ms * kWhole_ms : lease_ms;
}

std::int64_t watchdog_delay_ms(const LockType& type, std::int64_t lease_ms) {
  return type.watchdog_ms > 0 ? type.watchdog_ms : lease_ms / 3;
}

std::int64_t longest_wait_ms(const LockType& type) {
  return type.waits ? type.waits_ms : 0;
}

LockRef parse_lock_ref(const std::string& text) {
  LockRef ref;
  const auto plus = text.find('+');
  ref.lock = text.substr(0, plus);
  if (find_entry(locks(), ref.lock) == nullptr) throw BadInput(unknown_word("lock", ref.lock, entry_names(locks())));
  if (plus != std::string::npos) {
    const std::string variant = text.substr(plus + 1);
    if (variant != "found_rows") throw BadInput(unknown_word("variant", variant, {"found_rows"}));
    if (find_entry(locks(), ref.lock)->store != StoreKind::mysql) {
      throw BadInput("variant '" + variant + "' is of a MySQL connection; " + ref.lock + " has none");
    }
    ref.found_rows = true;
  }
  return ref;
}

SqlFile embedded_statements(const std::string& stem) {
  const LockFile file = sql_file(stem);
  return SqlFile::parse(file.text, file.path);
}

LockFile lock_file(const std::string& lock) {
  const bool redis = find_entry(locks(), lock)->store == StoreKind::redis;
  return redis ? redis_file(stem_of(lock)) : sql_file(stem_of(lock));
}

SqlFile lock_statements(const std::string& lock) {
  return embedded_statements(stem_of(lock));
}

RedisFile lock_commands(const std::string& lock) {
  const LockFile file = redis_file(stem_of(lock));
  return RedisFile::parse(file.text, file.path);
}

std::vector<std::string> statement_names(const std::string& lock) {
  const bool redis = find_entry(locks(), lock)->store == StoreKind::redis;
  return redis ? lock_commands(lock).names() : lock_statements(lock).names();
}

}  // namespace holdfast
