// A stepped store on the server of this test (tests/program/stepped_test.py), whose statements are noted as they come.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "explore/explore_settings.hpp"
#include "explore/memoized_store.hpp"
#include "lock/lock.hpp"
#include "servers/mysql/sql_store.hpp"

namespace holdfast {

inline std::string test_socket() {
  const char* socket = std::getenv("HOLDFAST_TEST_SOCKET");
  return socket == nullptr ? "" : socket;
}

inline StoreSpec spec_of(const std::string& lock, std::size_t sessions) {
  StoreSpec out;
  out.file = lock_file(lock);
  out.isolation = isolation_of(lock_type(lock));
  out.sessions = sessions;
  return out;
}

struct Stepped {
  explicit Stepped(const std::string& lock) : spec(spec_of(lock, 3)) { store.begin(kNoon_us, Beginning::new_tables); }
  Executed run(std::size_t session, std::string_view statement, const std::string& key = "orders") {
    return store.run(session, store.bind(session, statement, {{"key", key}}), kNoon_us);
  }
  StoreSpec spec;
  MemoizedStore store{make_sql_store(spec, test_socket()), std::make_shared<StoreMemory>(), 0};
};

}  // namespace holdfast
