// Statements that operations sent to their server, in readable form: the statements of the lock's file, with the values
// of the operation in place of their parameters, and the replies.
//
//   with_values("SELECT 1 FROM t WHERE k = @key", {{"key", "orders"}}, '@')   SELECT 1 FROM t WHERE k = 'orders'
//
// The values are those that the history says were sent; in one that does not say, the operation's key and token. A
// parameter that it says nothing of keeps its name: nothing is made up. An adapter's requests are its library's, and
// no statements of ours.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/verdict.hpp"
#include "history/event.hpp"
#include "history/history_source.hpp"

namespace holdfast {

// The statements of one lock, by the names that histories have.
struct StatementTemplates {
  std::map<std::string, std::string> texts;  // as in its file, without comments
  char parameter = '@';  // the first character of a parameter's name; '$': "$name", between double quotes

  const std::string* find(const std::string& name) const;  // null: not known
};

// Null: the history does not say.
nlohmann::json values_of(const Statement&);

// `values`: an object of texts, numbers and nulls, by the names of parameters.
std::string with_values(std::string_view text, const nlohmann::json& values, char parameter);

struct SentStatement {
  std::uint32_t client = 0;
  std::string operation;    // "acquire"
  std::uint64_t index = 0;  // the events of its call and its answer
  std::uint64_t end_index = 0;
  std::int64_t call_ns = 0;
  std::string name;    // in the lock's file
  std::string text;    // empty: not known
  std::string answer;  // "1 row", "no answer", "0 rows, error 1062"
};

// Line ends and indentation as single blanks.
std::string on_one_line(std::string_view text);

// The statements of the operations that form a verdict's violations.
class StatementsOfWitnesses {
 public:
  StatementsOfWitnesses(const TrialVerdict& verdict, const StatementTemplates& statements);

  void event(const Event& event, const Names& names);  // in the order of the history
  std::vector<SentStatement> take() && { return std::move(sent_); }

 private:
  const StatementTemplates& statements_;
  std::set<std::uint64_t> wanted_;  // indices of events
  struct Asked {
    std::uint64_t index = 0;
    std::optional<std::uint64_t> token;
  };
  std::map<std::uint32_t, Asked> asked_;  // by process: what it asked for last
  std::vector<SentStatement> sent_;
};

// The indices of a violation's events: those that it names, and the grants and ends of the holds that take part.
std::set<std::uint64_t> events_of_witness(const Timeline&, const Witness&);

}  // namespace holdfast
