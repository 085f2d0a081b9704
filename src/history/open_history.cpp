#include "history/open_history.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "artifact/error.hpp"
#include "history/history.hpp"
#include "history/jepsen_history.hpp"
#include "history/journal_record.hpp"
#include "history/journal_source.hpp"

namespace holdfast {
namespace {

enum class Form : std::uint8_t { json_lines, edn, journal };

// A journal begins with a record: a small length, and a kind from 1 on. As text those would be control characters.
bool is_journal(const std::string& start) {
  Head head;
  if (start.size() < sizeof head) return false;
  std::memcpy(&head, start.data(), sizeof head);
  const bool known = head.kind == RecordKind::event || head.kind == RecordKind::statement;
  return known && head.length >= sizeof head && head.length < 1U << 16;
}

// A map's first key is a keyword; in JSON it is a string.
bool is_edn(const std::string& start) {
  const auto at = start.find_first_not_of(" \t\r\n,");
  if (at == std::string::npos) return false;
  if (start[at] == '[' || start[at] == '#' || start[at] == ';') return true;
  const auto next = start[at] == '{' ? start.find_first_not_of(" \t\r\n,", at + 1) : std::string::npos;
  return next != std::string::npos && start[next] == ':';
}

Form form_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be read: " + std::strerror(errno));
  std::array<char, 512> piece{};
  in.read(piece.data(), piece.size());
  const std::string start(piece.data(), static_cast<std::size_t>(in.gcount()));
  if (is_journal(start)) return Form::journal;
  return is_edn(start) ? Form::edn : Form::json_lines;
}

}  // namespace

std::unique_ptr<HistorySource> open_history(const std::string& path) {
  if (std::filesystem::is_directory(path)) return std::make_unique<JournalSource>(path);
  switch (form_of(path)) {
    case Form::journal:
      return std::make_unique<JournalSource>(path);
    case Form::edn:
      return std::make_unique<JepsenHistory>(path);
    case Form::json_lines:
      break;
  }
  return std::make_unique<HistoryReader>(path);
}

}  // namespace holdfast
