// Writes HTML that is also well-formed XML: tags close themselves in order, and every text is escaped on its way in.
//
//   HtmlWriter out;
//   {
//     const auto row = out.tag("tr", {{"class", "cell"}});
//     out.element("td", {}, "<script>");   // <td>&lt;script&gt;</td>
//   }
//   std::move(out).take();
//
// There is no way to write unescaped text except raw(), which is for the program's own files and for finished pieces.
// An attribute with an empty value is left out. It does not know which tags HTML has.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

// Text made visible (visible.hpp), then safe between tags and inside a quoted attribute.
std::string escaped(std::string_view text);

// A name as part of an id and of a #link: letters, digits and _ + . / - stay, any other byte becomes ~XX. Different
// names give different ids.
std::string anchor(std::string_view name);

struct Attribute {
  std::string_view name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

class HtmlWriter {
 public:
  class Tag {
   public:
    Tag(HtmlWriter& out, std::string_view name) : out_(out), name_(name) {}
    ~Tag() { out_.close(name_); }
    Tag(const Tag&) = delete;
    Tag& operator=(const Tag&) = delete;

   private:
    HtmlWriter& out_;
    std::string_view name_;
  };

  // Open until the Tag goes out of scope. The name must be a literal.
  [[nodiscard]] Tag tag(std::string_view name, Attributes attributes = {});
  void element(std::string_view name, Attributes attributes, std::string_view text);
  void empty(std::string_view name, Attributes attributes = {});  // <br/>, <rect .../>
  void text(std::string_view text) { out_ += escaped(text); }
  void raw(std::string_view markup) { out_ += markup; }

  std::size_t size() const { return out_.size(); }
  std::string take() && { return std::move(out_); }

 private:
  void begin(std::string_view name, Attributes attributes);
  void close(std::string_view name);

  std::string out_;
};

}  // namespace holdfast
