#include "history/open_history.hpp"

#include <cctype>
#include <cstring>
#include <filesystem>

#include "artifact/error.hpp"
#include "history/array_history.hpp"
#include "history/history.hpp"
#include "history/journal.hpp"
#include "history/journal_source.hpp"
#include "history/json_array.hpp"
#include "history/not_a_history.hpp"
#include "history/otlp_request.hpp"

namespace holdfast {
namespace {

enum class Form : std::uint8_t { json_lines, json_array, edn, journal, spans };

// A journal begins with a record: a small length, and a kind from 1 on. As text these would be control characters.
bool is_journal(const std::string& start) {
  Head head;
  if (start.size() < sizeof head) return false;
  std::memcpy(&head, start.data(), sizeof head);
  const bool known = head.kind == RecordKind::event || head.kind == RecordKind::statement;
  return known && head.length >= sizeof head && head.length < 1U << 16;
}

// A map's first key is a keyword; in JSON it is a string. A tag is a word: "# Title" is not EDN.
bool is_edn(const std::string& start) {
  const auto at = start.find_first_not_of(" \t\r\n,");
  if (at == std::string::npos) return false;
  if (start[at] == '[' || start[at] == ';') return true;
  if (start[at] == '#') return at + 1 < start.size() && std::isalpha(static_cast<unsigned char>(start[at + 1])) != 0;
  const auto next = start[at] == '{' ? start.find_first_not_of(" \t\r\n,", at + 1) : std::string::npos;
  return next != std::string::npos && start[next] == ':';
}

// A history is opened twice, to detect its form and to read it; a pipe cannot be read twice.
Form form_of(const InputFile& file) {
  if (!file.can_be_read_again()) {
    throw BadInput(file.path() +
                   ": is a pipe or a terminal, but a history is opened twice; remedy: holdfast check - < FILE");
  }
  const std::string start = file.start(kTellsForm);
  if (is_journal(start)) return Form::journal;
  if (is_json_array(start)) return Form::json_array;
  if (is_otlp(start)) return Form::spans;
  return is_edn(start) ? Form::edn : Form::json_lines;
}

// A trial's journals have only its clients' events. The history made by the runner also has the nemesis's kills.
bool of_trial(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::symlink_status(folder / "plan.json", none));
}

bool in_trial(const std::string& path) {
  return of_trial(std::filesystem::absolute(path).parent_path());
}

// A trial's processes may have replaced its files, also if the user names one of them.
InputFile trusted_as_its_place(const InputFile& file) {
  return in_trial(file.path()) ? InputFile::stored(file.path()) : file;
}

std::unique_ptr<HistorySource> open_folder(const std::string& path) {
  const InputFile history = InputFile::in(path, "history.jsonl");
  if (history.is_there()) return std::make_unique<HistoryReader>(history);
  if (of_trial(path)) {
    throw BadInput(path +
                   ": is an interrupted trial: it has journals, but no history.jsonl, and the journals do not record "
                   "faults; remedy: holdfast run --resume RUN");
  }
  return std::make_unique<JournalSource>(path);
}

}  // namespace

std::unique_ptr<HistorySource> open_history(const InputFile& named, NotHeld not_held, const MergeOptions& options) {
  const std::string& path = named.path();
  if (std::filesystem::is_directory(path)) return open_folder(path);
  const InputFile file = trusted_as_its_place(named);
  switch (form_of(file)) {
    case Form::journal:
      if (in_trial(path)) {
        throw BadInput(path +
                       ": is only one client's part of a trial; remedy: give the trial's folder, or its history.jsonl");
      }
      return std::make_unique<JournalSource>(file);
    case Form::edn:
      return std::make_unique<JepsenHistory>(file, not_held);
    case Form::json_array:
      return std::make_unique<ArrayHistory>(file);
    case Form::spans:
      return std::make_unique<MergedLogs>(std::vector<std::string>{file.path()}, options);
    case Form::json_lines:
      break;
  }
  refuse_other_json(file);
  return std::make_unique<HistoryReader>(file);
}

std::unique_ptr<HistorySource> open_logs(const std::vector<std::string>& paths, const MergeOptions& options) {
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
      case Form::spans:
        break;
    }
  }
  return std::make_unique<MergedLogs>(paths, options);
}

}  // namespace holdfast
