// Reads an annotated file of statements (statement_lock.hpp): notes are parsed here, statements by their server's
// language.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "adapter/command_words.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lock/driver_placeholders.hpp"
#include "lock/lock_file_mistakes.hpp"
#include "lock/statement_lock.hpp"
#include "lock/statement_lock_rules.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostStatements = 64;
constexpr std::size_t kMostRules = 16;
constexpr std::size_t kMostParameters = 8;
constexpr const char* kBegin = "begin";
constexpr const char* kSchema = "schema";
const std::set<std::string> kEndings{"commit", "rollback"};  // sent by in_transaction itself

struct NotedStatement {
  std::size_t line = 0;
  std::string name;
  std::vector<LockFileNote> notes;
  std::string chunk;  // as in the file, from its name on
};

const std::vector<std::string>& file_notes() {
  static const std::vector<std::string> all{"server",  "lease",         "about",     "deadline",
                                            "renews",  "watchdog ms",   "waits ms",  "guard ms",
                                            "instead", "whole seconds", "reentrant", "isolation"};
  return all;
}

const std::vector<std::string>& statement_notes() {
  static const std::vector<std::string> all{
      "name",          "of",        "granted when", "busy when", "done when", "not held when",
      "conflict when", "next when", "keep",         "token",     "answers"};
  return all;
}

class LockFileReader {
 public:
  LockFileReader(const std::string& text, const std::string& path) : text_(text) { out_.path = path; }

  LockFile read() {
    check_path();
    check_text();
    split();
    mistakes_.collect([&] { choose_server(); });
    if (statements_.empty() || out_.type.server.empty()) mistakes_.refuse_all();
    read_head();
    read_statements();
    mistakes_.refuse_all();
    finish();
    mistakes_.refuse_all();
    out_.text = text_;
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& what, const std::string& remedy) const {
    refuse_lock_file(out_.path, line, what, remedy);
  }

  // The file's name determines the language and the lock's name.
  void check_path() {
    const std::filesystem::path path(out_.path);
    out_.name = path.stem().string();
    const std::string language = path.extension().string();
    std::string known;
    for (const auto& [name, type] : server_types()) {
      const std::string own = std::string(".") + type->form.folder;
      if (own == language) kinds_.push_back(name);
      if (known.find(own) == std::string::npos) known += (known.empty() ? "" : " or ") + own;
    }
    if (kinds_.empty())
      throw BadInput(out_.path + ": is not a file of statements; remedy: use a name that ends with " + known);
    comment_ = server_type(kinds_.front()).form.comment;
    if (is_lock_name(out_.name)) return;
    throw BadInput(
        out_.path + ": '" + out_.name +
        "' is not a valid lock name; remedy: use lower-case letters and digits, joined by '_', such as my_lock" +
        language);
  }

  void check_text() const {
    if (text_.size() > kLargestLockFile) refuse(1, "is larger than 64 KiB", "keep only the statements of one lock");
    std::size_t line = 1;
    for (const char c : text_) {
      line += c == '\n' ? 1 : 0;
      const bool control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
      if (control || c == '\x7f') refuse(line, "has a control character", "use plain text");
    }
  }

  // A comment is a note if it has a note's form; a near miss is reported as an error. Everything else is prose.
  std::optional<LockFileNote> note_of(const std::string& text, std::size_t line) const {
    if (text.rfind(comment_ + " ", 0) != 0) return std::nullopt;
    const auto colon = text.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const LockFileNote out{line, without_blanks_around(text.substr(comment_.size(), colon - comment_.size())),
                           without_blanks_around(text.substr(colon + 1))};
    static const std::set<std::string> others{"from", "why", "differs", "note"};
    std::vector<std::string> known = file_notes();
    known.insert(known.end(), statement_notes().begin(), statement_notes().end());
    if (std::find(known.begin(), known.end(), out.key) != known.end()) return out;
    const std::string near = nearest(out.key, known);
    if (!near.empty() && others.count(out.key) == 0) {
      refuse(line, "unknown word '" + out.key + "' (did you mean '" + near + "'?)",
             "use one of holdfast's words, or '" + comment_ + " note: ...' for people");
    }
    return std::nullopt;
  }

  void split() {
    std::size_t number = 0;
    for (std::size_t from = 0; from < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', from), text_.size());
      const std::string line = text_.substr(from, end - from);
      from = end + 1;
      ++number;
      mistakes_.collect([&] { take_note(line, number); });
      if (!statements_.empty()) statements_.back().chunk += line + "\n";
    }
    if (!statements_.empty()) return;
    mistakes_.collect(
        [&] { refuse(1, "names no statement", std::string("a line '") + comment_ + " name: acquire' before each"); });
  }

  void take_note(const std::string& line, std::size_t number) {
    const auto note = note_of(line, number);
    if (note && note->key == "name") {
      begin_statement(*note);
    } else if (note) {
      (statements_.empty() ? head_ : statements_.back().notes).push_back(*note);
    }
  }

  void begin_statement(const LockFileNote& note) {
    const bool taken = std::any_of(statements_.begin(), statements_.end(),
                                   [&](const NotedStatement& one) { return one.name == note.value; });
    statements_.push_back({note.line, note.value, {}, ""});  // kept even if invalid, since the notes below belong to it
    if (!is_lock_name(note.value))
      refuse(note.line, "'" + note.value + "' names no statement", "use lower-case letters, digits and '_'");
    if (taken) refuse(note.line, "a second statement has the name '" + note.value + "'", "choose another name");
    if (statements_.size() > kMostStatements) refuse(note.line, "more than 64 statements", "fewer");
  }

  void choose_server() {
    const auto said =
        std::find_if(head_.begin(), head_.end(), [](const LockFileNote& note) { return note.key == "server"; });
    if (said == head_.end() && kinds_.size() > 1) {
      refuse(1, "several kinds of server use this language",
             "a line '" + comment_ + " server: " + kinds_.front() + "'");
    }
    const std::string server = said == head_.end() ? kinds_.front() : said->value;
    if (std::find(kinds_.begin(), kinds_.end(), server) == kinds_.end())
      refuse(said->line, unknown_word("kind of server", said->value, kinds_),
             "use a kind of server with the language of the file");
    out_.type.server = server;
  }

  void read_head() {
    std::set<std::string> seen;
    for (const auto& note : head_) mistakes_.collect([&] { check_head_note(note, seen); });
    if (seen.count("lease") != 0) return;
    mistakes_.collect([&] {
      refuse(1, "does not say what ends a grant",
             "a line '" + comment_ + " lease: server' (its clock), 'lease: client' (the client's), or 'lease: none'");
    });
  }

  void check_head_note(const LockFileNote& note, std::set<std::string>& seen) {
    const bool of_statement =
        std::find(statement_notes().begin(), statement_notes().end(), note.key) != statement_notes().end();
    if (of_statement)
      refuse(note.line, "'" + note.key + "' precedes all statements", "move it below the name of its statement");
    if (!seen.insert(note.key).second) refuse(note.line, "a second '" + note.key + "'", "use it once");
    read_head_note(note);
  }

  // A placeholder is also an error in the server's language: it is reported once.
  void read_statements() {
    LockFileMistakes placeholders;
    for (const auto& one : statements_) {
      placeholders.collect([&] { refuse_placeholders({out_.path, one.name, one.line, one.chunk}, form()); });
    }
    mistakes_.collect([&] { placeholders.none() ? check_language() : placeholders.refuse_all(); });
    if (!mistakes_.none()) return check_notes();
    for (const auto& statement : statements_) mistakes_.collect([&] { add(statement); });
  }

  // Checks statements that the server's reader did not accept as far as possible.
  void check_notes() {
    for (const auto& one : statements_) {
      LockStep step;
      if (one.name == kSchema || kEndings.count(one.name) != 0) continue;
      for (const auto& note : one.notes) mistakes_.collect([&] { read_note(note, one, step); });
    }
  }

  void read_head_note(const LockFileNote& note) {
    LockType& type = out_.type;
    if (note.key == "about") out_.about = note.value;
    if (note.key == "instead") out_.instead = note.value;
    if (note.key == "lease") lease_ = read_word(note, {"server", "client", "none"}, out_.path);
    if (note.key == "lease") type.lease = lease_ != "none";
    if (note.key == "deadline") {
      const std::string word = read_word(note, {"none", "steady", "wall"}, out_.path);
      out_.deadline = word == "steady" ? LockDeadline::steady
                      : word == "wall" ? LockDeadline::wall
                                       : LockDeadline::none;
    }
    if (note.key == "renews") type.renews_in_background = read_word(note, {"job", "watchdog"}, out_.path) == "watchdog";
    if (note.key == "whole seconds") type.whole_seconds = read_word(note, {"yes", "no"}, out_.path) == "yes";
    if (note.key == "reentrant") type.reentrant = read_word(note, {"yes", "no"}, out_.path) == "yes";
    if (note.key == "isolation") {
      type.isolation =
          read_word(note, {"repeatable_read", "read_committed", "serializable", "read_uncommitted"}, out_.path);
    }
    if (note.key == "watchdog ms") type.watchdog_ms = read_milliseconds(note, out_.path);
    if (note.key == "guard ms") type.guard_ms = read_milliseconds(note, out_.path);
    if (note.key == "waits ms") type.waits_ms = read_milliseconds(note, out_.path);
    if (note.key == "waits ms") type.waits = true;
  }

  const StatementForm& form() const { return server_type(out_.type.server).form; }

  // The server's own reader checks the language. Its errors refer to one of the statements.
  void check_language() const {
    std::vector<std::string> known;
    try {
      known = form().names({out_.path, text_});
    } catch (const BadInput& wrong) {
      for (const auto& one : statements_) check_chunk(one);
      throw BadInput(std::string(wrong.what()) + "; remedy: see the complete file in docs/lock_file.md");
    }
    for (const auto& one : statements_) check_known(one, known);
  }

  // Blanks are matched more leniently than by the server's reader, which may then have skipped the statement.
  void check_known(const NotedStatement& one, const std::vector<std::string>& known) const {
    if (std::find(known.begin(), known.end(), one.name) != known.end()) return;
    refuse(one.line, "this line does not name a statement", "write it as '" + comment_ + " name: " + one.name + "'");
  }

  void check_chunk(const NotedStatement& one) const {
    try {
      form().names({out_.path, one.chunk});
    } catch (const BadInput& wrong) {
      std::string what = wrong.what();
      if (what.rfind(out_.path, 0) == 0) what = what.substr(std::min(what.find(": "), what.size() - 2) + 2);
      refuse(one.line, what, "see the complete file in docs/lock_file.md");
    }
  }

  void add(const NotedStatement& one) {
    if (one.name == kSchema || kEndings.count(one.name) != 0) {
      if (!one.notes.empty()) refuse(one.notes.front().line, "'" + one.name + "' has no rules", "leave the line out");
      others_.insert(one.name);
      return;
    }
    LockStep step;
    step.statement = one.name;
    step.line = one.line;
    if (form().parameters != nullptr) step.parameters = form().parameters({out_.path, text_}, one.name);
    if (step.parameters.size() > kMostParameters) refuse(one.line, "has more than 8 parameters", "fewer");
    for (const auto& note : one.notes) mistakes_.collect([&] { read_note(note, one, step); });
    if (step.rules.size() > kMostRules) refuse(one.line, "has more than 16 rules", "fewer");
    for (LockOperation* operation : operations_of(one)) add_to(*operation, step);
  }

  void read_note(const LockFileNote& note, const NotedStatement& one, LockStep& step) const {
    static const std::map<std::string, StepEnd> ends{
        {"granted when", StepEnd::granted},   {"busy when", StepEnd::busy},         {"done when", StepEnd::done},
        {"not held when", StepEnd::not_held}, {"conflict when", StepEnd::conflict}, {"next when", StepEnd::next}};
    if (const auto end = ends.find(note.key); end != ends.end()) {
      step.rules.push_back({end->second, read_reply_test(note, out_.path)});
    } else if (note.key == "keep") {
      step.kept.push_back(read_kept_value(note, out_.path));
    } else if (note.key == "token") {
      step.has_token = true;
      step.token_column = read_reply_column(note, note.value, out_.path);
    } else if (note.key != "of" && std::count(form().notes.begin(), form().notes.end(), note.key) == 0) {
      refuse(note.line, "'" + note.key + "' applies to the whole file, but is in the statement '" + one.name + "'",
             "put it before the first statement");
    }
  }

  // The operation named like the statement, unless `of` says otherwise.
  std::vector<LockOperation*> operations_of(const NotedStatement& one) {
    std::vector<LockOperation*> out;
    std::string words;
    std::size_t line = one.line;
    for (const auto& note : one.notes) {
      if (note.key != "of") continue;
      words += note.value + ",";
      line = note.line;
    }
    if (words.empty()) words = one.name + ",";
    for (std::size_t from = 0; from < words.size();) {
      const std::size_t end = words.find(',', from);
      out.push_back(&operation(without_blanks_around(words.substr(from, end - from)), line));
      from = end + 1;
    }
    return out;
  }

  LockOperation& operation(const std::string& name, std::size_t line) {
    if (name == "acquire") return out_.acquire;
    if (name == "renew") return out_.renew;
    if (name == "release") return out_.release;
    refuse(line, "'" + name + "' is not an operation of a lock, so this statement would never be sent",
           "a line '" + comment_ + " of: acquire' (or renew, or release) below its name");
  }

  void add_to(LockOperation& operation, const LockStep& step) {
    if (step.statement == kBegin) {
      if (!operation.steps.empty())
        refuse(step.line, "'begin' is not the first statement of its operation", "put it first");
      if (!step.rules.empty()) refuse(step.line, "'begin' has no rules", "leave them out");
      operation.in_transaction = true;
      return;
    }
    const bool acquires = &operation == &out_.acquire;
    for (const auto& rule : step.rules) {
      const bool fits = acquires ? rule.end != StepEnd::done && rule.end != StepEnd::not_held
                                 : rule.end != StepEnd::granted && rule.end != StepEnd::busy;
      if (!fits) {
        refuse(step.line, "'" + step.statement + "' has a result that its operation does not have",
               acquires ? "use granted, busy, conflict or next" : "use done, not held, conflict or next");
      }
    }
    if (step.has_token && !acquires) refuse(step.line, "only an acquire reads a token", "leave it out here");
    operation.steps.push_back(step);
  }

  void finish() {
    if (out_.acquire.steps.empty())
      refuse(1, "has no statement for acquire", "a line '" + comment_ + " name: acquire'");
    const bool grants = std::any_of(out_.acquire.steps.begin(), out_.acquire.steps.end(), [](const LockStep& step) {
      return std::any_of(step.rules.begin(), step.rules.end(),
                         [](const StepRule& rule) { return rule.end == StepEnd::granted; });
    });
    if (!grants) {
      mistakes_.collect([&] {
        refuse(out_.acquire.steps.back().line, "no rule says when the lock is granted",
               "a line '" + comment_ + " granted when: affected > 0' below its name");
      });
    }
    mistakes_.collect([&] { refuse_renewal_without_result(out_, comment_); });
    LockType& type = out_.type;
    type.releases = !out_.release.steps.empty();
    type.fenced = std::any_of(out_.acquire.steps.begin(), out_.acquire.steps.end(),
                              [](const LockStep& step) { return step.has_token; });
    if (type.renews_in_background && out_.renew.steps.empty())
      refuse(1, "a watchdog needs a statement to send", "add a statement 'renew'");
    type.renews = !type.renews_in_background && !out_.renew.steps.empty();
    for (const auto* operation : {&out_.acquire, &out_.renew, &out_.release}) {
      if (operation->in_transaction) mistakes_.collect([&] { check_transaction(); });
      mistakes_.collect([&] { check_parameters(out_, *operation, lease_, comment_); });
    }
    for (const auto& note : head_) {
      if (note.key == "lease") mistakes_.collect([&] { refuse_lease_of_its_own(out_, note, form()); });
    }
  }

  void check_transaction() const {
    for (const auto& name : kEndings) {
      if (others_.count(name) == 0) refuse(1, "has 'begin' without '" + name + "'", "add a statement of that name");
    }
  }

  const std::string& text_;
  std::string comment_;
  std::vector<std::string> kinds_;
  std::string lease_;
  std::vector<LockFileNote> head_;
  std::vector<NotedStatement> statements_;
  std::set<std::string> others_;
  LockFileMistakes mistakes_;
  LockFile out_;
};

}  // namespace

LockFile read_lock_file(const std::string& text, const std::string& path) {
  return LockFileReader(text, path).read();
}

}  // namespace holdfast
