#include "explore/schedule_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/schedule_word.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

// The start of the simulated clock, 2030-01-01 12:00 UTC, as requests may have it.
constexpr std::array<std::string_view, 3> kSimulatedTimes{"2030-01-01", "18934992", "18934993"};

// Lines of the database's client that belong to no answer.
constexpr const char* kMySqlNoise = "end of step|^-+$|^SELECT 'end|^$|^[0-9]+ rows? in set|^Bye";
constexpr const char* kPostgresNoise = "end of step|^-+$|^ *.column. *$|^.1 row.$|^$";

// clang-format off
constexpr const char* kRedisHead = R"sh(set -u
# send CLIENT COMMAND...
send() {
  client=$1
  shift
  echo "$client   $*"
  printf '     -> '
  redis-cli $options "$@"
}
# wait_for CLIENT COMMAND...: in the background, for a command that waits at the server.
wait_for() {
  client=$1
  shift
  echo "$client   $*"
  exec redis-cli $options "$@"
}
waiting=
)sh";

constexpr const char* kRedisEnd = R"sh(sleep 1
for process in $waiting; do
  if kill "$process" 2>/dev/null; then echo "a command still has no answer"; fi
done
)sh";

constexpr const char* kSqlHead = R"sh(set -u
program=$(command -v @PROGRAM@) || { echo "needs the server's command-line client" >&2; exit 4; }
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf -- "$folder"' EXIT
declare -A session
step=0
# open CLIENT: a session of its own.
open() {
  mkfifo "$folder/$1"
  : >"$folder/$1.out"
  exec {descriptor}<>"$folder/$1"
  session[$1]=$descriptor
  @CLIENT@ <"$folder/$1" >"$folder/$1.out" 2>&1 &
  echo $! >"$folder/$1.pid"
}
# send CLIENT STATEMENT: waits 3 s at most for the answer.
send() {
  [[ ${session[$1]:-} ]] || open "$1"
  local mark="end of step $((++step))" from
  from=$(wc -l <"$folder/$1.out")
  echo "$1   $2"
  printf "%s;\nSELECT '%s';\n" "$2" "$mark" >&"${session[$1]}"
  for ((i = 0; i < 30; ++i)); do
    if grep -q "^ *$mark" "$folder/$1.out"; then break; fi
    sleep 0.1
  done
  tail -n +$((from + 1)) "$folder/$1.out" | grep -vE "@NOISE@" | grep -vxFe "$2" | sed 's/^/     -> /'
  if ((i < 30)); then return; fi
  echo "     -> no answer yet: it waits"
  kill -0 "$(<"$folder/$1.pid")" 2>/dev/null || { echo "the client of the server ended" >&2; exit 4; }
}
# close_session CLIENT: its connection ends.
close_session() {
  kill "$(<"$folder/$1.pid")" 2>/dev/null
  unset "session[$1]"
  rm -f -- "$folder/$1"
}
)sh";
// clang-format on

std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-.:/,=@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// A text in a comment stays on its line.
std::string on_a_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

[[noreturn]] void refuse(const std::string& why) {
  throw BadInput("no script: " + why + "; remedy: holdfast replay without --script, which shows the same steps");
}

void refuse_simulated_time(const std::string& text) {
  for (const auto time : kSimulatedTimes) {
    if (text.find(time) != std::string::npos) {
      refuse("a request carries a time of the simulated clock (" + on_a_line(text) + ")");
    }
  }
}

bool has(const TraceStep& step, std::string_view fault) {
  return step.word.find(fault) != std::string::npos;
}

void put(std::string& text, std::string_view place, std::string_view value) {
  text.replace(text.find(place), place.size(), value);
}

class ScriptWriter {
 public:
  ScriptWriter(const ExploreFind& find, const ScriptedLock& lock) : find_(find), lock_(lock) {}

  std::string text() {
    head();
    for (const auto& step : find_.steps) add(step);
    if (!sql()) out_ += kRedisEnd;
    out_ += "echo " + shell_word("explore saw: " + on_a_line(find_.text)) + "\n";
    return out_;
  }

 private:
  bool sql() const { return lock_.server != "redis"; }

  void head() {
    if (lock_.server != "redis" && lock_.server != "mysql" && lock_.server != "postgres") {
      refuse("the server of " + lock_.lock + " is '" + lock_.server +
             "', and scripts are for redis, mysql and postgres");
    }
    out_ = sql() ? "#!/usr/bin/env bash\n" : "#!/bin/sh\n";
    out_ += fmt::format("# {}: {}\n# Lock: {}; schedule: {}\n", find_.invariant, on_a_line(find_.text), lock_.lock,
                        on_a_line(find_.replay));
    if (!find_.cause.empty()) out_ += "# Cause: " + on_a_line(find_.cause) + "\n";
    out_ += "# Each letter is a client. Run it on a server whose data may be lost, with the options of ";
    out_ += lock_.server == "redis"   ? "redis-cli:\n#   sh FILE -p 6379\n"
            : lock_.server == "mysql" ? "mysql, and an\n# empty database:\n#   bash FILE -u root test\n"
                                      : "psql, and an\n# empty database:\n#   bash FILE -U postgres test\n";
    out_ += sql() ? "options=(\"$@\")\n" + sql_functions() : std::string("options=\"$*\"\n") + kRedisHead;
    if (!lock_.schema.empty()) out_ += "send schema " + shell_word(lock_.schema) + "\n";
  }

  std::string sql_functions() const {
    const bool mysql = lock_.server == "mysql";
    std::string out = kSqlHead;
    put(out, "@PROGRAM@", mysql ? "mysql || command -v mariadb" : "psql");
    put(out, "@CLIENT@",
        mysql ? R"("$program" "${options[@]}" --force --unbuffered -vv)" : R"("$program" "${options[@]}" --no-psqlrc)");
    put(out, "@NOISE@", mysql ? kMySqlNoise : kPostgresNoise);
    return out;
  }

  void add(const TraceStep& step) {
    if (step.client.empty()) return pass(step.word);
    if (has(step, "!ahead") || has(step, "!behind")) refuse("a client's clock is wrong in this schedule");
    if (step.statement.empty()) return event(step);
    if (has(step, "!late")) {
      out_ +=
          "echo " + shell_word(step.client + "   sends, but it has not arrived: " + on_a_line(step.statement)) + "\n";
      return;
    }
    const std::string seen = step.answer + (step.said.empty() ? "" : "; " + step.said);
    const bool waits = !sql() && step.answer == "no answer yet";
    out_ += (waits ? "wait_for " : "send ") + shell_word(step.client) + " " + request(step) + (waits ? " &" : "") +
            "  # explore saw: " + on_a_line(seen) + "\n";
    if (waits) out_ += "waiting=\"$waiting $!\"\nsleep 0.5\n";
  }

  std::string request(const TraceStep& step) {
    if (step.statement.find(" at server ") != std::string::npos) refuse("the lock uses several servers");
    if (sql()) {
      refuse_simulated_time(step.statement);
      return shell_word(step.statement);
    }
    if (step.arguments.empty()) refuse("only a summary is known of the request " + step.statement);
    std::string out;
    for (const auto& argument : step.arguments) {
      refuse_simulated_time(argument);
      out += (out.empty() ? "" : " ") + shell_word(argument);
    }
    std::string name = step.arguments.front();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name == "evalsha") refuse("the library calls a stored script by its hash (EVALSHA), and its text is not known");
    return out;
  }

  void pass(const std::string& word) {
    const auto words = parse_words(word);
    if (words.size() != 1 || words.front().kind != WordKind::time) return;
    out_ += fmt::format("echo 'time passes: {} s'\nsleep {}\n", word.substr(1, word.size() - 2),
                        static_cast<double>(words.front().time_us) / 1e6);
  }

  void event(const TraceStep& step) {
    const bool ends = has(step, "!crash") || has(step, "!cut");
    if (!ends && step.said.empty()) return;
    const std::string what = has(step, "!crash") ? "dies" : ends ? "loses its connection" : step.said;
    out_ += "echo " + shell_word(step.client + "   " + on_a_line(what)) + "\n";
    if (ends && sql()) out_ += "close_session " + shell_word(step.client) + "\n";
  }

  const ExploreFind& find_;
  const ScriptedLock& lock_;
  std::string out_;
};

}  // namespace

std::string schedule_script(const ExploreFind& find, const ScriptedLock& lock) {
  return ScriptWriter(find, lock).text();
}

}  // namespace holdfast
