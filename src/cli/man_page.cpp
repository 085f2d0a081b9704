// `holdfast man-page`: generates the manual page from the command line's parser, so that both agree. The build writes
// it to holdfast.1; see roff(7) for its syntax.
#include <cstdio>
#include <string>

#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/terminal.hpp"

namespace holdfast {
namespace {

constexpr const char* kBefore = R"(.SH NAME
holdfast \- tests whether a distributed lock holds
.SH SYNOPSIS
.B holdfast
.I COMMAND
[\fIoption\fR ...]
.SH DESCRIPTION
Runs real locks with many client processes against a real server in a private network, injects faults (pauses,
partitions, lost replies, kills, wrong clocks), records which clients believed to hold the lock and when, and judges
the record.
.PP
holdfast leaves nothing behind and does not need root. \fBholdfast doctor\fR tests whether this machine can run it.
.SH COMMANDS
)";

constexpr const char* kAfter = R"(.SH EXIT STATUS
.TP
.B 0
all as expected
.TP
.B 1
not as expected
.TP
.B 2
usage error, or a filter that matched nothing
.TP
.B 3
undecided, not exercised, not judged, or not run
.TP
.B 4
this machine cannot run it; \fBholdfast doctor\fR shows why
.TP
.B 5
the harness failed
.TP
.B 130
interrupted
.SH ENVIRONMENT
.TP
.B HOLDFAST_TARGET_PASSWORD
the password for \fB\-\-target\fR, kept out of the command line
.TP
.B NO_COLOR
if not empty: no colours
.TP
.B TMPDIR
the folder for the trials of \fBholdfast doctor\fR; default: /tmp
.SH FILES
.TP
.I runs/
results in the current folder, one folder per run; \fIruns/latest\fR is the last run
.TP
.I ../share/holdfast/scenarios/
the built-in suites, next to the program's folder; \fBholdfast run quick\fR finds them from anywhere
.SH EXAMPLES
.nf
holdfast doctor
holdfast run quick
holdfast run quick \-\-only ip_lease/pause \-\-seed 42
holdfast check history.jsonl
.fi
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    out += c;
  }
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return "\\fI" + escaped(option.get_name()) + "\\fR";
  std::string out;
  for (const auto& name : option.get_snames()) out += (out.empty() ? "" : ", ") + ("\\fB\\-" + escaped(name) + "\\fR");
  for (const auto& name : option.get_lnames()) {
    out += (out.empty() ? "" : ", ") + ("\\fB\\-\\-" + escaped(name) + "\\fR");
  }
  if (const std::string value = value_name(option); !value.empty()) out += " \\fI" + escaped(value) + "\\fR";
  return out;
}

std::string text_of(const CLI::Option& option) {
  const std::string out = option_text(option);
  const auto first = out.find_first_not_of(' ');
  return first == std::string::npos ? "\\&" : escaped(out.substr(first));
}

void print_command(const CLI::App& command) {
  print_file(fmt::format(".SS holdfast {}\n{}\n", escaped(command.get_name()), escaped(command.get_description())));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    print_file(fmt::format(".TP\n{}\n{}\n", names_of(*option), text_of(*option)));
  }
}

}  // namespace

void add_man_page(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("man-page", "");
  command->group("");
  command->callback([&app] {
    print_file(fmt::format(".TH HOLDFAST 1 \"\" \"holdfast {}\" \"User Commands\"\n{}", HOLDFAST_VERSION, kBefore));
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (!one->get_group().empty()) print_command(*one);
    }
    print_file(kAfter);
  });
}

}  // namespace holdfast
