#include "virtual_time/keep_time.hpp"

#include <sys/wait.h>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/units.hpp"
#include "virtual_time/time_record.hpp"
#include "virtual_time/timekeeper.hpp"

namespace holdfast {
int run_in_virtual_time(const std::string& folder, const std::vector<std::string>& argv, bool early) {
  const CutLinks cut(folder + kCutLinksFile);
  constexpr std::int64_t kEarly_ns = 20 * kMillisecond_ns;
  Timekeeper keeper({.ends_early_ns = early ? kEarly_ns : 0});
  keeper.leave_out(cut);
  const std::int64_t begin_ns = monotonic_ns();
  const std::int64_t virtual_ns = keeper.now_ns();
  const int status = keeper.run_until_ended(keeper.start(argv));
  const TimeRecord record = time_record(keeper, keeper.now_ns() - virtual_ns, monotonic_ns() - begin_ns);
  RunDirectory(folder).write(kTimeRecordFile, text_of_json(to_json(record), 2) + "\n");
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitHarness;
}

}  // namespace holdfast
