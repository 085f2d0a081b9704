// The accepted forms of a history's `time`; a history must use one form throughout.
//
//   | written as                                  | means                                                            |
//   |---------------------------------------------|------------------------------------------------------------------|
//   | 1200345                                     | nanoseconds on any clock                                         |
//   | 1764024718.25, 3.1e2                        | seconds; Python's time.time() and time.monotonic() write so      |
//   | "2026-11-24T22:51:58.123Z", "...+02:00"     | ISO 8601, a time of day with its offset                          |
//   | "2026-11-24 22:51:58,123"                   | the same without an offset, read as UTC                          |
//
//   std::int64_t ns = 0;
//   const TimeForm form = read_time_form(object["time"], ns);
//   forms.admit(form, ns);                                      // in the order of the lines
//
// Nanoseconds count from 1970, or from the clock's start. Seconds as a double are exact to about 0.2 microseconds
// today; digits of an ISO time beyond nanoseconds are dropped. Two lines that then have equal times are concurrent.
// Throws BadInput with the bare reason ("time: ..."); the caller adds the location.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace holdfast {

enum class TimeForm : std::uint8_t { nanoseconds, seconds, iso_with_offset, iso_without_offset };

const char* to_text(TimeForm form);  // "nanoseconds (whole numbers)", for messages

// Returns true for times of day, whose clock may be set, as opposed to a monotonic clock.
inline bool is_time_of_day(TimeForm form) {
  return form == TimeForm::iso_with_offset || form == TimeForm::iso_without_offset;
}

TimeForm read_time_form(const nlohmann::json& value, std::int64_t& ns);

// The same for the text of a value without escapes: seconds without an exponent, and ISO times. Returns false for other
// or invalid forms, which read_time_form reports.
bool read_plain_time(std::string_view written, std::int64_t& ns, TimeForm& form);

class TimeForms {
 public:
  // `ns` as read by read_time_form; whole seconds in a history with seconds become nanoseconds.
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
