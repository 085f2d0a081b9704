#include "lock/statement_texts.hpp"

#include <sstream>

#include "lock/lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::vector<StatementText> read_statement_texts(std::string_view file, const std::string& comment) {
  std::vector<StatementText> out;
  std::istringstream in{std::string(file)};
  const auto told = [&](const std::string& line, const char* word, std::string& place) {
    const std::string begin = comment + " " + word + ": ";
    if (line.rfind(begin, 0) == 0) place = line.substr(begin.size());
  };
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(comment, 0) == 0) {
      std::string name;
      told(line, "name", name);
      if (!name.empty()) out.push_back({name, "", "", ""});
      if (out.empty()) continue;
      told(line, "from", out.back().from);
      told(line, "differs", out.back().differs);
      told(line, "why", out.back().differs);
    } else if (!out.empty() && !line.empty()) {
      out.back().text += line + "\n";
    }
  }
  return out;
}

std::vector<StatementText> statement_texts(const std::string& lock) {
  return read_statement_texts(lock_file(lock).text, server_type(find_entry(locks(), lock)->server).form.comment);
}

}  // namespace holdfast
