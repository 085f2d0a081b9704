// What somebody writes as a lock that is one file of statements: a clear refusal, or a lock whose statements can be
// found again.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz lock_file_fuzz
//   build/fuzz/tests/fuzz/lock_file_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN
//   tests/fuzz/corpus/lock_file
//
// The first byte, s or r, says in which language it is to be.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "artifact/error.hpp"
#include "lock/statement_lock.hpp"

namespace holdfast {
namespace {

void demand(bool what) {
  if (!what) std::abort();
}

void lock_file(const std::string& text, const std::string& path) {
  const LockFile file = read_lock_file(text, path);
  demand(file.text == text);
  demand(!file.acquire.steps.empty());
  demand(file.type.releases == !file.release.steps.empty());
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace holdfast;
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] == 's') lock_file(text, "my_lock.sql");
    if (data[0] == 'r') lock_file(text, "my_lock.redis");
  } catch (const BadInput&) {
    return 0;
  }
  return 0;
}
