#include "servers/mysql/split_statements.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace holdfast {
namespace {

std::string first_word(std::string_view sql) {
  std::string word;
  for (const char c : sql) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) == 0) {
      if (word.empty() && std::isspace(byte) != 0) continue;
      break;
    }
    word += static_cast<char>(std::toupper(byte));
  }
  return word;
}

}  // namespace

SplitTo split_to(std::string_view sql) {
  const std::string word = first_word(sql);
  if (word == "SELECT") return SplitTo::reader;
  for (const char* both : {"START", "BEGIN", "COMMIT", "ROLLBACK", "SET"}) {
    if (word == both) return SplitTo::both;
  }
  return SplitTo::writer;
}

SplitStatements::SplitStatements(MySqlAddress writer, MySqlAddress reader, SqlFile statements)
    : writer_(taking(std::move(writer), statements)),
      reader_(taking(std::move(reader), statements)),
      statements_(std::move(statements)) {}

void SplitStatements::connect() {
  writer_.connect();
  reader_.connect();
}

void SplitStatements::close() {
  writer_.close();
  reader_.close();
}

std::uint64_t SplitStatements::id() const {
  return reader_.thread_id() == 0 ? 0 : writer_.thread_id();
}

Reply SplitStatements::run(std::string_view statement, Params params) {
  const auto quote = [this](const std::string& text) { return writer_.quote(text); };
  try {
    return send(statements_.bind(statement, params, quote));
  } catch (const StatementFailed&) {
    close();
    throw;
  }
}

// Of two answers the writer's counts, unless only the reader has an error to tell.
Reply SplitStatements::send(const std::string& sql) {
  const SplitTo to = split_to(sql);
  if (to == SplitTo::reader) return reader_.query(sql);
  Reply written = writer_.query(sql);
  if (to == SplitTo::writer) return written;
  Reply read = reader_.query(sql);
  return written.ok() ? read : written;
}

}  // namespace holdfast
