// The vDSO's clock in programs of other languages, those that are installed: Node, Java and Go, linked statically too.
#include <gtest/gtest.h>
#include <cstdlib>

#include "artifact/error.hpp"
#include "lab/process.hpp"
#include "lab/vdso_clock.hpp"
#include "tests/lab/vdso_victim.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr const char* kPrograms = HOLDFAST_SOURCE "/tests/vdso/";

// Empty: not installed.
std::string installed(const std::string& program, const std::string& package) {
  try {
    return find_program(program, package.c_str());
  } catch (const Unavailable&) {
    return {};
  }
}

class VdsoLanguages : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_vdso_clock(); !why.empty()) GTEST_SKIP() << why;
  }
  // From its start to its end: ahead by nothing, by each offset, and by nothing again.
  static void expect_its_clock_follows(const std::vector<std::string>& argv) {
    const AskedProgram program(argv);
    expect_ahead(program, 0);
    VdsoClock clock(program.pid());
    clock.equip();
    expect_ahead(program, 0);
    expect_it_follows(program, clock);
    EXPECT_TRUE(program.runs());
  }
  static void expect_go_follows(const std::string& cgo) {
    const std::string go = installed("go", "golang-go");
    if (go.empty()) GTEST_SKIP() << "go is not installed";
    const TemporaryFolder folder;
    Spawn build;
    build.argv = {go, "build", "-o", folder.file("clock"), std::string(kPrograms) + "clock.go"};
    build.log = folder.file("log");
    const char* home = std::getenv("HOME");
    build.environment = {{"CGO_ENABLED", cgo}, {"HOME", home == nullptr ? folder.path() : home}};
    run_program(build);
    expect_its_clock_follows({folder.file("clock")});
  }
};

TEST_F(VdsoLanguages, Node) {
  const std::string node = installed("node", "nodejs");
  if (node.empty()) GTEST_SKIP() << "node is not installed";
  expect_its_clock_follows({node, std::string(kPrograms) + "clock.js"});
}

TEST_F(VdsoLanguages, Java) {
  const std::string java = installed("java", "default-jdk-headless");
  if (java.empty() || installed("javac", "default-jdk-headless").empty()) GTEST_SKIP() << "java is not installed";
  expect_its_clock_follows({java, std::string(kPrograms) + "Clock.java"});
}

TEST_F(VdsoLanguages, GoLinkedStatically) {
  expect_go_follows("0");
}

TEST_F(VdsoLanguages, GoWithTheCLibrary) {
  expect_go_follows("1");
}

}  // namespace
}  // namespace holdfast
