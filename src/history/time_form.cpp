#include "history/time_form.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "history/event.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr double kMostSeconds = static_cast<double>(kMaxTimeNs) / kSecondNs;
constexpr const char* kKnownForms =
    "known forms: nanoseconds as a whole number, seconds with a decimal point, or ISO 8601 such as "
    "\"2026-11-24T22:51:58.123Z\"";

[[noreturn]] void refuse_bounds() {
  throw BadInput("time: must be from 0 to " + std::to_string(kMaxTimeNs));
}

void check_bounds(std::int64_t ns) {
  if (ns < 0 || ns > kMaxTimeNs) refuse_bounds();
}

std::int64_t whole_time(const nlohmann::json& value) {
  const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(kMaxTimeNs);
  if (huge) refuse_bounds();
  const auto ns = value.get<std::int64_t>();
  check_bounds(ns);
  return ns;
}

// JSON readers also convert whole numbers of more than 64 bits to double; those are far beyond the bound.
std::int64_t seconds_time(double seconds) {
  if (!(seconds >= 0 && seconds <= kMostSeconds)) {
    throw BadInput(
        "time: a number with a decimal point, an exponent or more than 64 bits is read as seconds, and must be from 0 "
        "to " +
        std::to_string(kMaxTimeNs / kSecondNs) + "; remedy: write nanoseconds as a whole number");
  }
  const double whole = std::floor(seconds);  // separately, so that the product loses no precision
  return static_cast<std::int64_t>(whole) * kSecondNs + std::llround((seconds - whole) * kSecondNs);
}

// Steps through an ISO 8601 time; every step returns whether the expected part is there.
class IsoScan {
 public:
  explicit IsoScan(std::string_view text) : text_(text) {}

  bool number(std::size_t digits, int& out) {
    if (text_.size() - at_ < digits) return false;
    out = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      if (!is_digit(at_)) return false;
      out = 10 * out + (text_[at_] - '0');
    }
    return true;
  }
  // Takes one of these letters and returns it.
  std::optional<char> one_of(std::string_view letters) {
    if (at_ == text_.size() || letters.find(text_[at_]) == std::string_view::npos) return std::nullopt;
    return text_[at_++];
  }
  // Digits of a fraction, as nanoseconds.
  bool fraction(std::int64_t& ns) {
    const std::size_t from = at_;
    for (std::int64_t unit = kSecondNs / 10; is_digit(at_); ++at_, unit /= 10) ns += unit * (text_[at_] - '0');
    return at_ > from;
  }
  bool done() const { return at_ == text_.size(); }

 private:
  bool is_digit(std::size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Z, +02:00, +0200 or +02, in seconds; empty: invalid.
std::optional<std::int64_t> offset_of(IsoScan& in) {
  const auto sign = in.one_of("Zz+-");
  if (!sign) return std::nullopt;
  if (*sign == 'Z' || *sign == 'z') return 0;
  int hours = 0;
  int minutes = 0;
  if (!in.number(2, hours)) return std::nullopt;
  const bool has_minutes = in.one_of(":") || !in.done();
  if (has_minutes && !in.number(2, minutes)) return std::nullopt;
  if (hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = std::int64_t{60} * (60 * hours + minutes);
  return *sign == '-' ? -seconds : seconds;
}

struct IsoTime {
  std::int64_t ns = 0;
  bool has_offset = false;
};

std::optional<IsoTime> iso_time(std::string_view text) {
  IsoScan in(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const bool is_date = in.number(4, year) && in.one_of("-") && in.number(2, month) && in.one_of("-") &&
                       in.number(2, day) && in.one_of("Tt ");
  const bool is_time =
      is_date && in.number(2, hour) && in.one_of(":") && in.number(2, minute) && in.one_of(":") && in.number(2, second);
  if (!is_time || hour > 23 || minute > 59 || second > 60) return std::nullopt;  // 60: a leap second
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1970 || year > 2200) return std::nullopt;
  IsoTime out;
  if (in.one_of(".,") && !in.fraction(out.ns)) return std::nullopt;
  std::int64_t offset = 0;
  if (!in.done()) {
    const auto told = offset_of(in);
    if (!told || !in.done()) return std::nullopt;
    out.has_offset = true;
    offset = *told;
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  out.ns += kSecondNs * (86'400 * days + 3'600 * std::int64_t{hour} + 60 * std::int64_t{minute} + second - offset);
  return out;
}

// Digits, a point and digits, without a superfluous leading zero.
bool is_plain_decimal(std::string_view text) {
  const auto point = text.find_first_not_of("0123456789");
  if (point == std::string_view::npos || point == 0 || text[point] != '.' || point + 1 == text.size()) return false;
  if (point > 1 && text.front() == '0') return false;
  return text.find_first_not_of("0123456789", point + 1) == std::string_view::npos;
}

}  // namespace

const char* to_text(TimeForm form) {
  static constexpr EnumWords<TimeForm> kWords({"nanoseconds (whole numbers)", "seconds (with a decimal point)",
                                               "ISO 8601 with an offset or Z", "ISO 8601 without an offset"});
  return kWords[form];
}

TimeForm read_time_form(const nlohmann::json& value, std::int64_t& ns) {
  if (value.is_number_float()) {
    ns = seconds_time(value.get<double>());
    return TimeForm::seconds;
  }
  if (value.is_number()) {
    ns = whole_time(value);
    return TimeForm::nanoseconds;
  }
  const auto& text = value.is_string() ? value.get_ref<const std::string&>() : std::string();
  const auto iso = iso_time(text);
  if (!iso) throw BadInput("time: cannot be read; " + std::string(kKnownForms));
  ns = iso->ns;
  check_bounds(ns);
  return iso->has_offset ? TimeForm::iso_with_offset : TimeForm::iso_without_offset;
}

bool read_plain_time(std::string_view written, std::int64_t& ns, TimeForm& form) {
  if (written.size() >= 2 && written.front() == '"' && written.back() == '"') {
    const auto iso = iso_time(written.substr(1, written.size() - 2));
    if (!iso || iso->ns < 0 || iso->ns > kMaxTimeNs) return false;
    ns = iso->ns;
    form = iso->has_offset ? TimeForm::iso_with_offset : TimeForm::iso_without_offset;
    return true;
  }
  double seconds = 0;
  if (!is_plain_decimal(written)) return false;
  const auto [to, error] = std::from_chars(written.data(), written.data() + written.size(), seconds);
  if (error != std::errc() || seconds > kMostSeconds) return false;
  ns = seconds_time(seconds);
  form = TimeForm::seconds;
  return true;
}

// A program that writes seconds may write a whole number without a decimal point, but at most about once in a thousand
// lines: the first line decides.
void TimeForms::admit_other(TimeForm form, std::int64_t& ns) {
  if (!known_) {
    known_ = true;
    form_ = form;
    return;
  }
  if (form == form_) return;
  if (form_ == TimeForm::seconds && form == TimeForm::nanoseconds) {
    ns = seconds_time(static_cast<double>(ns));
    return;
  }
  throw BadInput(std::string("time: is in ") + to_text(form) + ", but earlier ones are in " + to_text(form_) +
                 "; remedy: write all times in one form");
}

}  // namespace holdfast
