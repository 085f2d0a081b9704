// The one place where text becomes HTML or XML, as this is both: tags close themselves in order, and every text is made
// visible (visible.hpp) and escaped on its way in.
//
//   HtmlWriter out;
//   {
//     const auto row = out.tag("tr", {{"class", "cell"}});
//     out.element("td", {}, "<script>");   // <td>&lt;script&gt;</td>
//   }
//   write(std::move(out).take().text());
//
// Names of tags and attributes are literals. Text that is not escaped again is Markup, which cannot be made from a
// text: it is the result of a writer, a file of the page, or a trial's packed events. An attribute with an empty value
// is left out. The writer does not know which tags HTML has, and does not check addresses: callers give `href` only
// "#..." and "./...".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "artifact/literal.hpp"

namespace holdfast {

class PackedText;

// A name as part of an id and of a #link: letters, digits and _ + . / - stay, any other byte becomes ~XX. Different
// names give different ids.
std::string anchor(std::string_view name);

// Finished: markup, script or style that may be written to a page unchanged.
class Markup {
 public:
  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }

 private:
  friend class HtmlWriter;
  friend Markup embedded_markup(Literal name);
  explicit Markup(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// A file of reports/page, as it stands in the program: "page.css", "signs.html".
Markup embedded_markup(Literal name);

struct Attribute {
  Literal name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

class HtmlWriter {
 public:
  class Tag {
   public:
    Tag(HtmlWriter& out, Literal name) : out_(out), name_(name) {}
    ~Tag() { out_.close_safely(name_); }
    Tag(const Tag&) = delete;
    Tag& operator=(const Tag&) = delete;

   private:
    HtmlWriter& out_;
    Literal name_;
  };

  // Open until the Tag goes out of scope.
  [[nodiscard]] Tag tag(Literal name, Attributes attributes = {});
  void element(Literal name, Attributes attributes, std::string_view text);
  void empty(Literal name, Attributes attributes = {});  // <br/>, <rect .../>
  void text(std::string_view text);
  void literal(Literal markup) { out_ += markup.view(); }  // "<!DOCTYPE html>\n"
  void add(const Markup& piece) { out_ += piece.text(); }
  void add(const PackedText& events);

  std::size_t size() const { return out_.size(); }
  Markup take() &&;  // std::bad_alloc where a tag could not be closed for want of memory

 private:
  void begin(Literal name, Attributes attributes);
  void close(Literal name);
  void close_safely(Literal name) noexcept;

  std::string out_;
  bool unclosed_ = false;
};

}  // namespace holdfast
