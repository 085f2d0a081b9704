#include "cli/time_flag.hpp"

#include <string>

namespace holdfast {

void add_time_flag(CLI::App* command, std::optional<TimeMode>& time) {
  command
      ->add_option_function<std::string>(
          "--time", [&time](const std::string& word) { from_text(word, time.emplace()); },
          "skipped: skip the time in which all programs of a trial sleep (default without --target); real: use the "
          "machine's time (docs/time.md)")
      ->check(CLI::IsMember({to_text(TimeMode::real), to_text(TimeMode::skipped)}));
}

}  // namespace holdfast
