#include "reports/html.hpp"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <new>

#include "artifact/visible.hpp"
#include "reports/packed_text.hpp"

namespace holdfast {

std::string_view embedded_page(std::string_view name);

namespace {

bool stays(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_+./-").find(c) != std::string_view::npos;
}

// True if only blanks precede `at` in its line.
bool leads_line(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
  return before == std::string_view::npos || text[before] == '\n';
}

// A page that is printed where GitHub Actions reads must not hold a command of its (workflow_commands.hpp).
bool makes_command(std::string_view before, char c) {
  if (c == '[') return before.ends_with("##");
  return c == ':' && before.ends_with(':') && leads_line(before, before.size() - 1);
}

}  // namespace

Markup embedded_markup(Literal name) {
  return Markup(std::string(embedded_page(name.view())));
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

void HtmlWriter::text(std::string_view text) {
  for (const char c : visible_lines(text)) {
    switch (c) {
      case '&':
        out_ += "&amp;";
        break;
      case '<':
        out_ += "&lt;";
        break;
      case '>':
        out_ += "&gt;";
        break;
      case '"':
        out_ += "&quot;";
        break;
      case '\'':
        out_ += "&#39;";
        break;
      default:
        if (makes_command(out_, c)) {
          fmt::format_to(std::back_inserter(out_), "&#{};", static_cast<int>(c));
        } else {
          out_ += c;
        }
    }
  }
}

void HtmlWriter::add(const PackedText& events) {
  out_ += events.text();
}

void HtmlWriter::begin(Literal name, Attributes attributes) {
  out_ += '<';
  out_ += name.view();
  for (const auto& attribute : attributes) {
    if (attribute.value.empty()) continue;
    out_ += ' ';
    out_ += attribute.name.view();
    out_ += "=\"";
    text(attribute.value);
    out_ += '"';
  }
}

HtmlWriter::Tag HtmlWriter::tag(Literal name, Attributes attributes) {
  begin(name, attributes);
  out_ += '>';
  return {*this, name};
}

void HtmlWriter::element(Literal name, Attributes attributes, std::string_view text) {
  const auto open = tag(name, attributes);
  this->text(text);
}

void HtmlWriter::empty(Literal name, Attributes attributes) {
  begin(name, attributes);
  out_ += "/>";
}

Markup HtmlWriter::take() && {
  if (unclosed_) throw std::bad_alloc();
  return Markup(std::move(out_));
}

// A destructor's call: what it throws would end the process.
void HtmlWriter::close_safely(Literal tag) noexcept {
  try {
    close(tag);
  } catch (const std::exception&) {
    unclosed_ = true;
  }
}

void HtmlWriter::close(Literal tag) {
  const std::string_view name = tag.view();
  out_ += "</";
  out_ += name;
  out_ += name == "p" || name == "tr" || name == "section" || name == "svg" ? ">\n" : ">";
}

}  // namespace holdfast
