// The measure of one timeline picture: where a time and a client's lane lie, in the units of the SVG's view box.
//
// Colours are written as attributes, so that a picture reads where style sheets are blocked; page/picture.css overrides
// them by class (dark mode). Everything drawn has a class, a shape of its own and a title.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/focus.hpp"
#include "reports/html.hpp"

namespace holdfast {

// Where a picture's time axis lies: one for screens and paper, one for phones.
struct Layout {
  double width;
  double left;
  double right;
};
inline constexpr Layout kWide{1000, 84, 988};
inline constexpr Layout kNarrow{340, 64, 334};

struct Canvas {
  HtmlWriter out;
  Layout layout = kWide;
  Stretch window;
  std::vector<Stretch> left_out;  // parts of the window that take no more room than kBreak each: a broken axis
  std::vector<std::uint32_t> lanes;
  double lanes_top = 0;
  double lane_high = kLane;
  bool only_lanes = false;  // faults that strike only other clients are not shown

  static constexpr double kWidth = kWide.width;
  static constexpr double kLeft = kWide.left;
  static constexpr double kRight = kWide.right;
  static constexpr double kBreak = 34;
  static constexpr double kLane = 40;
  static constexpr double kBarTop = 15;  // within a lane
  static constexpr double kBar = 18;

  double x(std::int64_t time_ns) const;  // clamped to the window
  double lane_y(std::size_t lane) const { return lanes_top + static_cast<double>(lane) * lane_high; }
  double bottom() const { return lane_y(lanes.size()); }
  std::size_t lane_of(std::uint32_t client) const;  // lanes.size() when it has none
  bool shows(std::int64_t from_ns, std::int64_t to_ns) const {
    return to_ns >= window.from_ns && from_ns <= window.to_ns;
  }

  // Reserves the place of a label of one line, if it is within the picture and no other label is there.
  bool take(double left, double right, double baseline);

  // A filled shape with a title that a pointer and a screen reader find.
  void box(const char* kind, const char* fill, double left, double top, double width, double height,
           const std::string& title);
  void label(const char* kind, const char* anchor, double left, double baseline, const std::string& text,
             int size = 11);
  void line(const char* kind, const char* stroke, double x1, double y1, double x2, double y2);

 private:
  struct Taken {
    double left, right, baseline;
  };
  std::vector<Taken> taken_;
};

// About the width of a text at a font size; fonts differ, so it is rather too much.
double text_width(const std::string& text, int size);

// Lines of at most `letters` characters, broken at blanks where there are any.
std::vector<std::string> wrapped(const std::string& text, std::size_t letters);

// A coordinate: one decimal at most.
std::string px(double value);

// Moments for an axis: multiples of 1, 2 or 5 times a power of ten, at most about `most` of them.
std::vector<std::int64_t> ticks(const Stretch&, int most);
std::string tick_text(std::int64_t time_ns, std::int64_t step_ns);

}  // namespace holdfast
