#include "lock/lock_texts.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_lock_texts(std::string_view name);

namespace {

constexpr const char* kFolder = "src/lock/algorithms/";
constexpr std::string_view kSource = "Source: ";

struct Line {
  std::size_t number = 0;
  std::string_view text;
};

// A heading with its text.
struct Section {
  Line heading;
  std::vector<Line> lines;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

// Splits at bars without a preceding backslash.
std::vector<std::string_view> split_cells(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '|' || (at > 0 && text[at - 1] == '\\')) continue;
    out.push_back(trimmed(text.substr(from, at - from)));
    from = at + 1;
  }
  out.push_back(trimmed(text.substr(from)));
  return out;
}

std::string stem_of_path(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

class LockTextsReader {
 public:
  LockTextsReader(const std::string& file, const std::string& title)
      : file_(file), title_("# " + (title.empty() ? stem_of_path(file) : title)) {}

  LockTexts read(std::string_view text) {
    const auto sections = split_sections(text);
    if (sections.empty()) refuse(1, "is empty", "begin it with '" + title_ + "'");
    read_head(sections.front());
    for (std::size_t i = 1; i < sections.size(); ++i) read_section(sections, i);
    return std::move(out_);
  }

 private:
  using Read = void (LockTextsReader::*)(const Section&);
  struct Known {
    const char* name;
    Read read;
  };
  static const std::array<Known, 5> kSections;

  [[noreturn]] void refuse(std::size_t line, const std::string& what, const std::string& remedy) const {
    throw BadInput(file_ + ":" + std::to_string(line) + ": " + what + "; remedy: " + remedy);
  }

  void check_characters(const Line& line) const {
    for (std::size_t at = 0; at < line.text.size();) {
      const std::size_t length = utf8_length(line.text, at);
      if (length == 0) refuse(line.number, "is not UTF-8", "save the file as UTF-8");
      if (static_cast<unsigned char>(line.text[at]) < ' ' || line.text[at] == '\x7f') {
        refuse(line.number, "has a control character", "use plain text, indented by spaces");
      }
      at += length;
    }
  }

  // Text before the first heading becomes a section with an empty heading.
  std::vector<Section> split_sections(std::string_view text) const {
    std::vector<Section> out;
    for (std::size_t from = 0, number = 1; from < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      Line line{number, text.substr(from, end - from)};
      from = end + 1;
      if (!line.text.empty() && line.text.back() == '\r') line.text.remove_suffix(1);
      check_characters(line);
      if (begins(line.text, "#")) {
        out.push_back({line, {}});
      } else if (!out.empty()) {
        out.back().lines.push_back(line);
      } else if (!trimmed(line.text).empty()) {
        out.push_back({{number, {}}, {line}});
      }
    }
    return out;
  }

  void read_head(const Section& head) {
    if (head.heading.text != title_)
      refuse(head.heading.number, "the title is not the lock's name", "write the first line as '" + title_ + "'");
    const auto paragraphs = paragraphs_of(head);
    const std::string remedy = "describe the lock in one sentence; a line 'Source: ...' may follow";
    if (paragraphs.empty()) refuse(head.heading.number, "no text below the title", remedy);
    out_.about = paragraphs.front();
    if (paragraphs.size() == 1 && !begins(out_.about, kSource)) return;
    if (paragraphs.size() != 2 || !begins(paragraphs.back(), kSource)) {
      refuse(head.heading.number, "the text below the title is not one sentence with an optional source", remedy);
    }
    out_.source = paragraphs.back().substr(kSource.size());
  }

  void read_section(const std::vector<Section>& all, std::size_t index) {
    const Section& section = all[index];
    const auto same = [&](const Section& other) { return other.heading.text == section.heading.text; };
    if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index), same)) {
      refuse(section.heading.number, "a second '" + std::string(section.heading.text) + "'", "use each heading once");
    }
    std::string names;
    for (const auto& known : kSections) {
      if (section.heading.text == std::string("## ") + known.name) return (this->*known.read)(section);
      names += std::string(names.empty() ? "" : ", ") + "'## " + known.name + "'";
    }
    refuse(section.heading.number, "unknown heading '" + std::string(section.heading.text) + "'", "one of " + names);
  }

  void read_does(const Section& section) { out_.does = paragraph_of(section); }
  void read_instead(const Section& section) { out_.instead = paragraph_of(section); }

  void read_flaws(const Section& section) {
    for (auto& [line, text] : items_of(section)) out_.flaws.push_back(std::move(text));
  }

  void read_rules(const Section& section) {
    for (const auto& [line, text] : items_of(section)) {
      const auto colon = text.find(": ");
      if (colon == std::string::npos || colon == 0) {
        refuse(line, "a rule names no source", "begin it with '- document 000:38: ...' or '- **ours**: ...'");
      }
      out_.rules.push_back({text.substr(0, colon), text.substr(colon + 2)});
    }
  }

  // A paragraph, then the table.
  void read_worst(const Section& section) {
    const auto in_table = [](const Line& line) { return begins(line.text, "|"); };
    const auto table = std::find_if(section.lines.begin(), section.lines.end(), in_table);
    out_.when = paragraph_of({section.heading, {section.lines.begin(), table}});
    const std::string remedy = "write '| client A | client B |', '|---|---|', then one row per step";
    std::size_t row = 0;
    for (auto line = table; line != section.lines.end(); ++line) {
      if (trimmed(line->text).empty()) continue;
      const auto cells = split_cells(trimmed(line->text));
      const bool framed = cells.size() == 4 && cells.front().empty() && cells.back().empty();
      if (!framed) refuse(line->number, "not a row with the columns A and B", remedy);
      const WorstStep step{std::string(cells[1]), std::string(cells[2])};
      check_row(*line, row++, step, remedy);
      if (row > 2) out_.worst.push_back(step);
    }
    if (out_.worst.empty()) refuse(section.heading.number, "the worst case has no steps", remedy);
  }

  void check_row(const Line& line, std::size_t row, const WorstStep& step, const std::string& remedy) const {
    const bool head = row == 0 && step.a == "client A" && step.b == "client B";
    const bool rule = row == 1 && step.a == "---" && step.b == "---";
    const bool told = row > 1 && !(step.a.empty() && step.b.empty());
    if (!head && !rule && !told) refuse(line.number, "not a row with the columns A and B", remedy);
  }

  std::string paragraph_of(const Section& section) const {
    auto all = paragraphs_of(section);
    if (all.size() == 1) return std::move(all.front());
    refuse(section.heading.number,
           (all.empty() ? "no text below '" : "several paragraphs below '") + std::string(section.heading.text) + "'",
           "write one paragraph of use plain text");
  }

  std::vector<std::string> paragraphs_of(const Section& section) const {
    static constexpr std::array<std::string_view, 8> kOther{"- ", "* ", "+ ", "#", ">", "|", "```", "~~~"};
    std::vector<std::string> out;
    bool open = false;
    for (const Line& line : section.lines) {
      const std::string_view text = trimmed(line.text);
      const auto begun = [text](std::string_view with) { return begins(std::string(text) + " ", with); };
      if (std::any_of(kOther.begin(), kOther.end(), begun)) {
        refuse(line.number, "a list, a table or a block instead of a paragraph", "write plain sentences");
      }
      if (text.empty()) {
        open = false;
      } else if (open) {
        out.back().append(" ").append(text);
      } else {
        out.emplace_back(text);
        open = true;
      }
    }
    return out;
  }

  // "- " begins an item, two blanks continue it.
  std::vector<std::pair<std::size_t, std::string>> items_of(const Section& section) const {
    std::vector<std::pair<std::size_t, std::string>> out;
    for (const Line& line : section.lines) {
      const std::string_view text = trimmed(line.text);
      if (text.empty()) continue;
      if (begins(line.text, "- ") && !trimmed(line.text.substr(2)).empty()) {
        out.emplace_back(line.number, std::string(trimmed(line.text.substr(2))));
      } else if (begins(line.text, "  ") && !out.empty()) {
        out.back().second.append(" ").append(text);
      } else {
        refuse(line.number, "is not part of a list", "begin an item with '- ', and continue it after two spaces");
      }
    }
    if (out.empty())
      refuse(section.heading.number, "no text below '" + std::string(section.heading.text) + "'",
             "write a list of '- ...'");
    return out;
  }

  std::string file_;
  std::string title_;
  LockTexts out_;
};

const std::array<LockTextsReader::Known, 5> LockTextsReader::kSections{{
    {"What it does", &LockTextsReader::read_does},
    {"Rules", &LockTextsReader::read_rules},
    {"Known flaws", &LockTextsReader::read_flaws},
    {"Worst case", &LockTextsReader::read_worst},
    {"Use instead", &LockTextsReader::read_instead},
}};

}  // namespace

LockTexts read_lock_texts(std::string_view text, const std::string& file, const std::string& title) {
  return LockTextsReader(file, title).read(text);
}

LockTexts lock_texts(const std::string& lock) {
  if (lock_type(lock).manifest != nullptr || lock_type(lock).file != nullptr) return added_lock_texts(lock);
  const std::string_view text = embedded_lock_texts(lock + ".md");
  if (text.empty()) throw HarnessError(kFolder + lock + ".md is missing");
  return read_lock_texts(text, kFolder + lock + ".md");
}

std::vector<StatementText> read_statement_texts(std::string_view file, const std::string& comment) {
  std::vector<StatementText> out;
  std::istringstream in{std::string(file)};
  const auto told = [&](const std::string& line, const char* word, std::string& place) {
    const std::string begin = comment + " " + word + ": ";
    if (line.rfind(begin, 0) == 0) place = line.substr(begin.size());
  };
  std::string blank;  // within a statement, where it may part something
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(comment, 0) == 0) {
      blank.clear();
      std::string name;
      told(line, "name", name);
      if (!name.empty()) out.push_back({name, "", "", ""});
      if (out.empty()) continue;
      told(line, "from", out.back().from);
      told(line, "differs", out.back().differs);
      told(line, "why", out.back().differs);
    } else if (line.empty()) {
      blank += "\n";
    } else if (!out.empty()) {
      StatementText& last = out.back();
      last.text += (last.text.empty() ? "" : blank) + line + "\n";
      blank.clear();
    }
  }
  return out;
}

std::vector<StatementText> statement_texts(const std::string& lock) {
  return read_statement_texts(lock_file(lock).text, server_type(find_entry(locks(), lock)->server).form.comment);
}

}  // namespace holdfast
