#include "cli/time_flag.hpp"

#include <string>

namespace holdfast {

void add_time_flag(CLI::App* command, TimeMode& time) {
  command
      ->add_option_function<std::string>(
          "--time", [&time](const std::string& word) { from_text(word, time); },
          "skipped: no trial waits, the time in which all of its programs sleep is skipped; real: the machine's time")
      ->check(CLI::IsMember({to_text(TimeMode::real), to_text(TimeMode::skipped)}));
}

}  // namespace holdfast
