// Which server the trials run on: what `run` and `compare` are told of it, in the same words.
//
//   add_server_flags(command, flags);
//   check_servers(flags);                            // BadInput, before anything starts
//   const auto place = open_place(flags);            // null: each trial has a server of its own, in its lab
//   options.target = place.get(); ... the trials ...
//   close_place(place.get(), verdict.server);        // takes away what they made, and says where they ran
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "artifact/shell_command.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

struct ServerFlags {
  std::vector<std::string> servers;  // mysqld=PATH
  std::string target;
  std::string target_run;
  std::vector<std::string> adapters;          // lock.json of locks in other languages
  std::vector<std::string> adapter_commands;  // NAME[@SERVER]=COMMAND
};

void add_server_flags(CLI::App* command, ServerFlags& flags);
void add_adapter_flags(CLI::App* command, ServerFlags& flags);  // a part of them

void check_servers(const ServerFlags& flags);

// The locks in other languages that were named, and those that come with holdfast, are locks from then on. Before any
// scenario is read.
void add_named_adapters(const ServerFlags& flags);

std::unique_ptr<Sandbox> open_place(const ServerFlags& flags);
void close_place(Sandbox* place, std::string& server);

// " --server X --target Y" as it can be pasted, without a password.
ShellCommand server_words(const ServerFlags& flags);

}  // namespace holdfast
