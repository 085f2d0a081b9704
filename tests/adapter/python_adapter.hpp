// An adapter for tests, in Python: its lock is a folder of files, so that several processes exclude each other. It
// follows the protocol, or makes the one given mistake.
//
//   const PythonAdapter python;
//   AdapterProgram::start("files", python.command("sound"), python.hello(0), {});
#pragma once

#include <string>

#include "adapter/adapter_program.hpp"
#include "adapter/manifest.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast::tests {

inline constexpr std::int64_t kPythonLease_ms = 1'000;

class PythonAdapter {
 public:
  PythonAdapter();

  AdapterCommand command(const std::string& mistake) const;
  AdapterMessage hello(std::int64_t client) const;
  Manifest manifest() const;
  std::string log() const { return folder_.file("stderr.log"); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

// A program in the shell, as it stands.
AdapterCommand shell_adapter(const TemporaryFolder& folder, const std::string& script);

}  // namespace holdfast::tests
