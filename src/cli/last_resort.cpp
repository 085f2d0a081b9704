#include "cli/last_resort.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kNoMemory = "cannot allocate memory; remedy: ";
constexpr rlim_t kLeastStack = rlim_t{1} << 20;  // bytes
constexpr rlim_t kUsualStack = rlim_t{8} << 20;

// Allocates nothing, since memory may have run out.
void tell_last(const char* why, const char* more = "") noexcept {
  constexpr std::size_t kMost = 1000;
  std::array<char, kMost> line{};
  std::size_t size = 0;
  for (const char* part : {"holdfast: ", why, more}) {
    for (const char c : std::string_view(part)) {
      if (size + 1 == kMost) break;
      line[size++] = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  line[size++] = '\n';
  if (::write(STDERR_FILENO, line.data(), size) < 0) return;
}

[[noreturn]] void last_word() noexcept {
  const std::exception_ptr thrown = std::current_exception();
  try {
    if (thrown) std::rethrow_exception(thrown);
    tell_last(kNoMemory, kMoreMemory);  // not even for an exception
  } catch (const std::bad_alloc&) {
    tell_last(kNoMemory, kMoreMemory);
  } catch (const std::exception& failed) {
    tell_last(failed.what());
  } catch (...) {
    tell_last("unknown error");
  }
  ::_exit(kExitHarness);
}

}  // namespace

void end_with_a_word() {
  std::set_terminate(last_word);
}

// A new thread's default stack size is the limit from the program's start.
std::optional<std::string> small_stack() {
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kLeastStack) return std::nullopt;
  const std::string was = std::to_string(stack.rlim_cur >> 10U);
  stack.rlim_cur = std::min(stack.rlim_max, kUsualStack);
  if (stack.rlim_cur >= kLeastStack && ::setrlimit(RLIMIT_STACK, &stack) == 0) {
    pthread_attr_t threads;
    const bool set = ::pthread_attr_init(&threads) == 0 && ::pthread_attr_setstacksize(&threads, stack.rlim_cur) == 0 &&
                     ::pthread_setattr_default_np(&threads) == 0;
    if (set) return std::nullopt;
  }
  return "the stack limit is " + was + " KiB, and this program needs " + std::to_string(kLeastStack >> 10U) +
         " KiB; remedy: ulimit -s " + std::to_string(kUsualStack >> 10U);
}

}  // namespace holdfast
