#include "relay/transaction_words.hpp"

#include <cctype>
#include <string>

namespace holdfast {

bool ends_transaction(std::string_view sql) {
  std::string words;
  for (const char c : sql.substr(0, 64)) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isspace(letter) == 0) {
      words += static_cast<char>(std::toupper(letter));
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  const auto begins = [&](std::string_view with) { return words.compare(0, with.size(), with) == 0; };
  const auto is_word = [&](std::string_view word) {
    const bool more = words.size() > word.size() && std::isalnum(static_cast<unsigned char>(words[word.size()])) != 0;
    return begins(word) && !more;
  };
  const bool to_savepoint = begins("ROLLBACK TO ") || begins("ROLLBACK WORK TO ") || begins("ROLLBACK TRANSACTION TO ");
  return begins("COMMIT") || (begins("ROLLBACK") && !to_savepoint) || is_word("END") || is_word("ABORT");
}

}  // namespace holdfast
