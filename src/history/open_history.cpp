#include "history/open_history.hpp"

#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "artifact/error.hpp"
#include "history/array_history.hpp"
#include "history/history.hpp"
#include "history/journal.hpp"
#include "history/journal_source.hpp"
#include "history/json_array.hpp"
#include "history/merged_logs.hpp"
#include "history/not_a_history.hpp"

namespace holdfast {
namespace {

enum class Form : std::uint8_t { json_lines, json_array, edn, journal };

// A journal begins with a record: a small length, and a kind from 1 on. As text those would be control characters.
bool is_journal(const std::string& start) {
  Head head;
  if (start.size() < sizeof head) return false;
  std::memcpy(&head, start.data(), sizeof head);
  const bool known = head.kind == RecordKind::event || head.kind == RecordKind::statement;
  return known && head.length >= sizeof head && head.length < 1U << 16;
}

// A map's first key is a keyword; in JSON it is a string. A tag is a word: "# Title" is no EDN.
bool is_edn(const std::string& start) {
  const auto at = start.find_first_not_of(" \t\r\n,");
  if (at == std::string::npos) return false;
  if (start[at] == '[' || start[at] == ';') return true;
  if (start[at] == '#') return at + 1 < start.size() && std::isalpha(static_cast<unsigned char>(start[at + 1])) != 0;
  const auto next = start[at] == '{' ? start.find_first_not_of(" \t\r\n,", at + 1) : std::string::npos;
  return next != std::string::npos && start[next] == ':';
}

Form form_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadInput(path + ": cannot be read: " + system_text(errno));
  std::array<char, 512> piece{};
  in.read(piece.data(), piece.size());
  const std::string start(piece.data(), static_cast<std::size_t>(in.gcount()));
  if (is_journal(start)) return Form::journal;
  if (is_json_array(start)) return Form::json_array;
  return is_edn(start) ? Form::edn : Form::json_lines;
}

// A trial's journals are its clients' alone. Whom the nemesis killed stands in the history that the runner made of
// them.
bool of_trial(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "plan.json");
}

std::unique_ptr<HistorySource> open_folder(const std::string& path) {
  const std::string history = path + "/history.jsonl";
  if (std::filesystem::exists(history)) return std::make_unique<HistoryReader>(history);
  if (of_trial(path)) {
    throw BadInput(path +
                   ": is a trial that was cut off: it has journals, but no history.jsonl, and what the nemesis did "
                   "is in no journal; remedy: holdfast run --resume RUN");
  }
  return std::make_unique<JournalSource>(path);
}

}  // namespace

std::unique_ptr<HistorySource> open_history(const std::string& path, NotHeld not_held) {
  if (std::filesystem::is_directory(path)) return open_folder(path);
  switch (form_of(path)) {
    case Form::journal:
      if (of_trial(std::filesystem::absolute(path).parent_path())) {
        throw BadInput(path +
                       ": is one client's part of a trial, which says nothing of the others; remedy: give the "
                       "trial's folder, or its history.jsonl");
      }
      return std::make_unique<JournalSource>(path);
    case Form::edn:
      return std::make_unique<JepsenHistory>(path, not_held);
    case Form::json_array:
      return std::make_unique<ArrayHistory>(path);
    case Form::json_lines:
      break;
  }
  refuse_other_json(path);
  return std::make_unique<HistoryReader>(path);
}

std::unique_ptr<HistorySource> open_logs(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path)) throw BadInput(path + ": is a folder; remedy: --merge takes files");
    switch (form_of(path)) {
      case Form::journal:
        throw BadInput(path + ": is a journal; remedy: give the folder of all journals, without --merge");
      case Form::edn:
        throw BadInput(path + ": is EDN, which is one history of all processes; remedy: check it without --merge");
      case Form::json_lines:
        refuse_other_json(path);
        break;
      case Form::json_array:
        break;
    }
  }
  return std::make_unique<MergedLogs>(paths);
}

}  // namespace holdfast
