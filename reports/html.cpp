#include "reports/html.hpp"

#include <fmt/format.h>

#include "reports/visible.hpp"

namespace holdfast {
namespace {

bool stays(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_+./-").find(c) != std::string_view::npos;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  const std::string seen = visible_lines(text);
  out.reserve(seen.size() + seen.size() / 8);
  for (const char c : seen) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string anchor(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (stays(c)) {
      out += c;
    } else {
      out += fmt::format("~{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

void HtmlWriter::begin(std::string_view name, Attributes attributes) {
  out_ += '<';
  out_ += name;
  for (const auto& attribute : attributes) {
    if (attribute.value.empty()) continue;
    out_ += ' ';
    out_ += attribute.name;
    out_ += "=\"";
    out_ += escaped(attribute.value);
    out_ += '"';
  }
}

HtmlWriter::Tag HtmlWriter::tag(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  out_ += '>';
  return {*this, name};
}

void HtmlWriter::element(std::string_view name, Attributes attributes, std::string_view text) {
  const auto open = tag(name, attributes);
  this->text(text);
}

void HtmlWriter::empty(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  out_ += "/>";
}

void HtmlWriter::close(std::string_view name) {
  out_ += "</";
  out_ += name;
  out_ += name == "p" || name == "tr" || name == "section" || name == "svg" ? ">\n" : ">";
}

}  // namespace holdfast
