#include "reports/page_frame.hpp"

#include "reports/page_scripts.hpp"

namespace holdfast {
namespace {

void write_page_head(const PageFrame& frame, HtmlWriter& out) {
  const auto head = out.tag("head");
  out.empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                     {"content", frame.moves ? page_policy() : still_page_policy()}});
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  out.empty("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  out.element("title", {}, frame.title + " · holdfast");
  const auto style = out.tag("style");
  out.add(embedded_markup("page.css"));
}

}  // namespace

std::string whole_page(const PageFrame& frame, const WritePart& body, const WritePart& end) {
  HtmlWriter out;
  out.literal("<!DOCTYPE html>\n");
  {
    const auto html = out.tag("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
    write_page_head(frame, out);
    const auto whole = out.tag("body", {{"class", frame.kind}});
    if (frame.moves) out.add(embedded_markup("hatches.html"));
    {
      const auto part = out.tag("main");
      body(out);
    }
    if (end) end(out);
  }
  return std::move(out).take().text();
}

void write_verdict_line(const std::string& word, const std::string& claim, const std::string& tone, HtmlWriter& out) {
  const auto h1 = out.tag("h1", {{"class", "verdict" + (tone.empty() ? "" : " " + tone)}});
  out.element("span", {{"class", "word"}}, word);
  out.element("span", {{"class", "claim"}}, " " + claim);
}

HtmlWriter::Tag scrolling_part(const char* name, HtmlWriter& out) {
  return out.tag("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", name}});
}

}  // namespace holdfast
