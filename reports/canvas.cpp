#include "reports/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "artifact/visible.hpp"

namespace holdfast {

std::string px(double value) {
  std::string out = fmt::format("{:.1f}", value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

double Canvas::x(std::int64_t time_ns) const {
  const std::int64_t at = std::clamp(time_ns, window.from_ns, window.to_ns);
  auto all = static_cast<double>(window.to_ns - window.from_ns);
  auto before = static_cast<double>(at - window.from_ns);
  double breaks = 0;
  for (const Stretch& gap : left_out) {
    const auto length = static_cast<double>(gap.to_ns - gap.from_ns);
    const double passed = std::clamp(static_cast<double>(at - gap.from_ns), 0.0, length);
    all -= length;
    before -= passed;
    breaks += kBreak * passed / length;
  }
  const double room = layout.right - layout.left - kBreak * static_cast<double>(left_out.size());
  return layout.left + breaks + room * before / std::max(all, 1.0);
}

bool Canvas::take(double left, double right, double baseline) {
  constexpr double kLine = 11;
  if (left < 0 || right > layout.width) return false;
  for (const Taken& other : taken_) {
    const bool apart = other.right + 4 < left || right + 4 < other.left;
    if (!apart && std::abs(other.baseline - baseline) < kLine) return false;
  }
  taken_.push_back({left, right, baseline});
  return true;
}

double text_width(const std::string& text, int size) {
  return static_cast<double>(columns(text)) * size * 0.62;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t letters) {
  std::vector<std::string> out;
  std::string rest = text;
  while (columns(rest) > letters) {
    std::size_t end = 0;  // bytes of the longest beginning that fits
    for (std::size_t n = 0; n < letters; ++n) end += std::max<std::size_t>(utf8_length(rest, end), 1);
    const std::size_t blank = rest.rfind(' ', end);
    const bool broken = blank != std::string::npos && blank > 0;
    out.push_back(rest.substr(0, broken ? blank : end));
    rest = rest.substr(broken ? blank + 1 : end);
  }
  out.push_back(rest);
  return out;
}

std::size_t Canvas::lane_of(std::uint32_t client) const {
  return static_cast<std::size_t>(std::find(lanes.begin(), lanes.end(), client) - lanes.begin());
}

void Canvas::box(const char* kind, const char* fill, double left, double top, double width, double height,
                 const std::string& title) {
  const auto rect = out.tag(
      "rect",
      {{"class", kind}, {"fill", fill}, {"x", px(left)}, {"y", px(top)}, {"width", px(width)}, {"height", px(height)}});
  if (!title.empty()) out.element("title", {}, title);
}

void Canvas::label(const char* kind, const char* anchor, double left, double baseline, const std::string& text,
                   int size) {
  out.element("text",
              {{"class", kind},
               {"text-anchor", anchor},
               {"x", px(left)},
               {"y", px(baseline)},
               {"font-size", std::to_string(size)}},
              text);
}

void Canvas::line(const char* kind, const char* stroke, double x1, double y1, double x2, double y2) {
  out.empty("line",
            {{"class", kind}, {"stroke", stroke}, {"x1", px(x1)}, {"y1", px(y1)}, {"x2", px(x2)}, {"y2", px(y2)}});
}

std::vector<std::int64_t> ticks(const Stretch& window, int most) {
  const std::int64_t length = window.to_ns - window.from_ns;
  std::int64_t step = 1;
  for (int i = 0; length / step > most && step < INT64_MAX / 10; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  std::vector<std::int64_t> out;
  std::int64_t at = window.from_ns / step * step;
  if (at < window.from_ns) at += step;
  for (; at <= window.to_ns; at += step) out.push_back(at);
  return out;
}

std::string tick_text(std::int64_t time_ns, std::int64_t step_ns) {
  int decimals = 0;
  for (std::int64_t unit = 1'000'000'000; step_ns > 0 && unit > step_ns && decimals < 9; unit /= 10) ++decimals;
  return fmt::format("{:.{}f}", static_cast<double>(time_ns) / 1e9, decimals);
}

}  // namespace holdfast
