#include "history/history_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"
#include "history/history_line.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWrittenPiece = std::size_t{64} << 10;

// One line per operation: line ends are escaped. EDN allows no other control characters except tabs, and its readers
// have no common escape for them.
std::string edn_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (control) {
      out += "\xEF\xBF\xBD";  // U+FFFD, as for invalid bytes
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Jepsen's keywords have hyphens.
std::string keyword(std::string word) {
  std::replace(word.begin(), word.end(), '_', '-');
  return ':' + word;
}

// Jepsen takes only numbered processes for clients. Uses names if they are numbers, else positions among the names. The
// first name decides; a word among numbers gets a number above all others.
std::int64_t edn_process(const Event& event, const Names& names) {
  constexpr std::int64_t kBeyond = 1'000'000'000;
  const auto number_of = [&names](std::uint32_t process) -> std::optional<std::int64_t> {
    const std::string name = names.processes.at(process);
    std::int64_t number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    const bool same = number >= 0 && number < kBeyond && std::to_string(number) == name;  // 007 is different from 7
    return same ? std::optional(number) : std::nullopt;
  };
  if (!number_of(0)) return event.process;
  return number_of(event.process).value_or(kBeyond + event.process);
}

}  // namespace

void append_edn_line(std::string& text, const Event& event, const Names& names, bool timed) {
  fmt::format_to(std::back_inserter(text), "{{:index {}", event.index);
  if (timed) fmt::format_to(std::back_inserter(text), ", :time {}", event.time_ns);
  fmt::format_to(std::back_inserter(text), ", :process {}, :type {}, :f {}, :value nil", edn_process(event, names),
                 keyword(to_text(event.type)), keyword(to_text(event.op)));
  const std::string& key = names.keys.at(event.key);
  if (!key.empty()) text += ", :key " + edn_quoted(key);
  if (event.token) text += fmt::format(", :token {}", *event.token);
  if (event.lease_ns) text += fmt::format(", :lease-ms {}", *event.lease_ns / 1'000'000);
  if (event.shared) text += ", :mode :shared";
  if (event.reason != Reason::none) text += ", :error " + keyword(to_text(event.reason));
  text += "}\n";
}

void export_history(HistorySource& source, ExportForm form, std::FILE* out) {
  std::string text;
  if (form == ExportForm::jsonl && !source.header().foreign) text = history_header_line(source.header()) + '\n';
  const auto write = [&] {
    if (std::fwrite(text.data(), 1, text.size(), out) != text.size())
      throw HarnessError("the export cannot be written");
    text.clear();
  };
  Event event;
  std::uint64_t events = 0;
  for (; source.next(event); ++events) {
    if (form == ExportForm::jsonl) append_history_line(text, event, source.names(), source.timed());
    if (form == ExportForm::edn && event.actor == Actor::client)
      append_edn_line(text, event, source.names(), source.timed());
    if (text.size() > kWrittenPiece) write();
  }
  if (form == ExportForm::jsonl && !source.header().foreign) text += history_end_line(events) + '\n';
  write();
  if (std::fflush(out) != 0) throw HarnessError("the export cannot be written");
}

}  // namespace holdfast
