// A library that is loaded on demand: the C library's own part for numbers, and a missing one.
#include "servers/late_library.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "artifact/error.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

template <class Call>
std::string unavailable(const Call& call) {
  try {
    call();
  } catch (const Unavailable& missing) {
    return missing.what();
  }
  return "nothing was missing";
}

TEST(LateLibrary, IsCalledAsIfItWereLinked) {
  LateLibrary numbers("libm.so.6", "none");
  LateFunction<double(double)> root(numbers, "sqrt");
  EXPECT_EQ(root(9.0), 3.0);
  EXPECT_EQ(root(16.0), 4.0);
  EXPECT_EQ(numbers.missing(), "");
}

TEST(LateLibrary, MissingLibraryIsNamedWithItsRemedy) {
  LateLibrary none("libholdfast_none.so.1", "apt-get install it");
  LateFunction<int()> any(none, "any");
  for (const std::string& said : {none.missing(), unavailable([&] { any(); })}) {
    EXPECT_TRUE(contains(said, "libholdfast_none.so.1: cannot open shared object file")) << said;
    EXPECT_TRUE(contains(said, "; remedy: apt-get install it")) << said;
  }
}

TEST(LateLibrary, LibraryWithoutTheFunctionIsNamed) {
  LateLibrary numbers("libm.so.6", "a newer one");
  LateFunction<int()> any(numbers, "holdfast_none");
  EXPECT_EQ(unavailable([&] { any(); }), "libm.so.6 has no holdfast_none; remedy: a newer one");
}

}  // namespace
}  // namespace holdfast
