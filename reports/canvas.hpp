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

struct Canvas {
  HtmlWriter out;
  Stretch window;
  std::vector<std::uint32_t> lanes;
  double lanes_top = 0;

  static constexpr double kWidth = 1000;
  static constexpr double kLeft = 84;
  static constexpr double kRight = 988;
  static constexpr double kLane = 40;
  static constexpr double kBarTop = 15;  // within a lane
  static constexpr double kBar = 18;

  double x(std::int64_t time_ns) const;  // clamped to the window
  double lane_y(std::size_t lane) const { return lanes_top + static_cast<double>(lane) * kLane; }
  double bottom() const { return lane_y(lanes.size()); }
  std::size_t lane_of(std::uint32_t client) const;  // lanes.size() when it has none
  bool shows(std::int64_t from_ns, std::int64_t to_ns) const {
    return to_ns >= window.from_ns && from_ns <= window.to_ns;
  }

  // A filled shape with a title that a pointer and a screen reader find.
  void box(const char* kind, const char* fill, double left, double top, double width, double height,
           const std::string& title);
  void label(const char* kind, const char* anchor, double left, double baseline, const std::string& text,
             int size = 11);
  void line(const char* kind, const char* stroke, double x1, double y1, double x2, double y2);
};

// A coordinate: one decimal at most.
std::string px(double value);

// Moments for an axis: multiples of 1, 2 or 5 times a power of ten, at most about `most` of them.
std::vector<std::int64_t> ticks(const Stretch&, int most);
std::string tick_text(std::int64_t time_ns, std::int64_t step_ns);

}  // namespace holdfast
