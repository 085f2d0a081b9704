// Regular expressions (ECMAScript, of the standard library), compiled in one source file because including them costs
// seconds of compile time.
//
//   static const Pattern zone("[+-][0-9]{2}:[0-9]{2}");
//   zone.is("+08:00");
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace holdfast {

class Pattern {
 public:
  enum class Case { kept, ignored };
  explicit Pattern(const std::string& text, Case letters = Case::kept);
  ~Pattern();
  Pattern(Pattern&&) noexcept;

  bool is(const std::string& text) const;                          // matches the whole text
  bool in(const std::string& text) const;                          // somewhere
  std::vector<std::string> groups(const std::string& text) const;  // capture groups if it matches, else empty
  // Returns the text of each match in order, or of this group in it.
  std::vector<std::string> places(const std::string& text, std::size_t group = 0) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace holdfast
