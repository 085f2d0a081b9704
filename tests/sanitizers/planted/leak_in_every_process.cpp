// Loaded into every process of a cell: leaks a block whose size identifies the process.
#include <cstdlib>
#include <cstring>

namespace {

struct Leak {
  const char* command;
  std::size_t bytes;
};
constexpr Leak kLeaks[] = {{"run", 1001}, {"lab", 1002}, {"trial", 1003}, {"client", 1004}};

// The C library hands the program's own arguments to what runs before main.
[[gnu::constructor]] void leak(int count, char** arguments) {
  for (const Leak& leak : kLeaks) {
    if (count > 1 && std::strcmp(arguments[1], leak.command) == 0) {
      auto* volatile lost = static_cast<char*>(std::malloc(leak.bytes));
      *lost = 1;
    }
  }
}

}  // namespace
