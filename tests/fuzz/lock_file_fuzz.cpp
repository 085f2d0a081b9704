// Text of a lock that is one file of statements: a clear refusal, or a lock whose statements can be found again.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz lock_file_fuzz
//   build/fuzz/tests/fuzz/lock_file_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN
//   tests/fuzz/corpus/lock_file
//
// The first byte says in which language it is to be (kReaders).
#include <cstdint>
#include <string>

#include "lock/statement_lock.hpp"
#include "tests/fuzz/one_of.hpp"

namespace holdfast {
namespace {

void lock_file(const std::string& text, const std::string& path) {
  const LockFile file = read_lock_file(text, path);
  demand(file.text == text);
  demand(!file.acquire.steps.empty());
  demand(file.type.releases == !file.release.steps.empty());
}

void sql(const std::string& text) {
  lock_file(text, "my_lock.sql");
}

void redis(const std::string& text) {
  lock_file(text, "my_lock.redis");
}

void postgres(const std::string& text) {
  lock_file(text, "my_lock.postgres");
}

void object_store(const std::string& text) {
  lock_file(text, "my_lock.s3");
}

constexpr Reader kReaders[] = {{'s', sql}, {'r', redis}, {'p', postgres}, {'o', object_store}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
