// `holdfast clean`: removes what killed runs have left on a user's own server.
#include <cstdio>
#include <memory>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/terminal.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {
namespace {

void clean(const std::string& text) {
  const Target target = parse_target(text);
  const auto place = visit_sandbox(target);
  const Sweep found = swept(*place);
  for (const auto& line : found.done) say("{}\n", line);
  if (!found.foreign.empty()) say("{}\n", told(found.foreign));
  if (found.done.empty()) say("holdfast has left nothing on {}\n", target.place());
}

}  // namespace

void add_clean(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("clean", "Remove the remains of killed runs from your own server");
  give_examples(command, {"holdfast clean --target URL"});
  auto target = std::make_shared<std::string>();
  command->add_option("--target", *target, "The server, as for holdfast run")->required();
  command->callback([target] { clean(*target); });
}

}  // namespace holdfast
