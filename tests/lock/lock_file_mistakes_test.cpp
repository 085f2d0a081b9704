// All mistakes of a file of statements are reported at once, and none that only follows from another.
#include "lock/lock_file_mistakes.hpp"

#include <gtest/gtest.h>

#include "lock/statement_lock.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

std::string mistakes_of(const std::string& text) {
  return refusal([&text] { read_lock_file(text, "my_lock.sql"); });
}

TEST(LockFile, AllMistakesAreNamedAtOnce) {
  const std::string told = mistakes_of(
      "-- lese: server\n-- name: acquire\n-- granted wen: always\nSELECT 1;\n"
      "-- name: look up\nSELECT 2;\n-- name: renew\n-- done when: afected = 1\nSELECT 3;\n");
  for (const char* part :
       {":1: unknown word 'lese'", ":3: unknown word 'granted wen'", ":5: 'look up' names no statement",
        ":8: 'afected = 1' is not a test for", ":1: does not say what ends a grant"}) {
    EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
  }
  EXPECT_EQ(told.find("no rule says when the lock is granted"), std::string::npos) << "it follows from a mistake\n"
                                                                                   << told;
  const std::string later = mistakes_of(
      "-- lease: server\n-- name: begin\n-- of: acquire\nBEGIN;\n-- name: acquire\n-- granted when: always\n"
      "SELECT @kee;\n-- name: release\nSELECT @now;\n");
  for (const char* part : {"has 'begin' without 'commit'", ":5: in 'acquire': unknown parameter 'kee'",
                           ":8: in 'release': 'now' is the client's clock", "uses the lease's length"}) {
    EXPECT_NE(later.find(part), std::string::npos) << part << "\n" << later;
  }
}

TEST(LockFile, ARenewalSaysWhenItSucceeded) {
  const std::string acquire =
      "-- lease: server\n-- name: acquire\n-- granted when: affected = 1\nINSERT INTO t VALUES (@key, @ttl_us);\n";
  const std::string renew = "UPDATE t SET e = @ttl_us WHERE k = @key;\n";
  const std::string told = mistakes_of(acquire + "-- name: renew\n" + renew);
  EXPECT_NE(told.find("my_lock.sql:5: no rule says when a renewal has succeeded, so every renewal would count as one "
                      "that has; remedy: a line '-- done when: affected > 0', or another test of its reply, below its "
                      "name; or '-- done "
                      "when: always'"),
            std::string::npos)
      << told;
  for (const char* rule : {"done when: affected > 0", "done when: always", "not held when: affected = 0"}) {
    read_lock_file(acquire + "-- name: renew\n-- " + rule + "\n" + renew, "my_lock.sql");
  }
}

}  // namespace
}  // namespace holdfast
