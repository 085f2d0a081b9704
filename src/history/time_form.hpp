// The forms in which a history's `time` may be written, and the rule that one history keeps to one of them.
//
//   | written as                                  | means                                                            |
//   |---------------------------------------------|------------------------------------------------------------------|
//   | 1200345                                     | nanoseconds, on whatever clock                                   |
//   | 1764024718.25, 3.1e2                        | seconds; Python's time.time() and time.monotonic() write so      |
//   | "2026-11-24T22:51:58.123Z", "...+02:00"     | ISO 8601, a time of day with its offset                          |
//   | "2026-11-24 22:51:58,123"                   | the same without an offset, read as UTC                          |
//
//   std::int64_t ns = 0;
//   const TimeForm form = read_time_form(object["time"], ns);
//   forms.admit(form, ns);                                      // in the order of the lines
//
// Nanoseconds since 1970, or since whatever began the clock. Seconds as a double are exact to some 0.2 microseconds
// today; digits of an ISO time beyond nanoseconds are dropped. Two lines that thereby get one time are concurrent.
// Throws BadInput with the bare reason ("time: ..."); who reads says where.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace holdfast {

enum class TimeForm : std::uint8_t { nanoseconds, seconds, iso_with_offset, iso_without_offset };

const char* to_text(TimeForm form);  // "nanoseconds (whole numbers)", for messages

// Whether these are times of day, which somebody may set, and not those of a clock that only runs on.
inline bool is_time_of_day(TimeForm form) {
  return form == TimeForm::iso_with_offset || form == TimeForm::iso_without_offset;
}

TimeForm read_time_form(const nlohmann::json& value, std::int64_t& ns);

// The same of a value as a line has it, without escapes: seconds without an exponent, and ISO times. False: it is
// another, or wrong, which read_time_form says.
bool read_plain_time(std::string_view written, std::int64_t& ns, TimeForm& form);

class TimeForms {
 public:
  // `ns` as read by read_time_form; whole seconds of a history that is written in seconds become nanoseconds.
  void admit(TimeForm form, std::int64_t& ns) {
    if (form == TimeForm::nanoseconds && form_ == TimeForm::nanoseconds) {
      known_ = true;
      return;
    }
    admit_other(form, ns);
  }
  TimeForm form() const { return form_; }

 private:
  [[gnu::cold]] void admit_other(TimeForm form, std::int64_t& ns);

  bool known_ = false;
  TimeForm form_ = TimeForm::nanoseconds;
};

}  // namespace holdfast
