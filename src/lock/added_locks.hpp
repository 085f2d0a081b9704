// Adds locks that are programs in any language, or just a file of statements: their manifests (adapter/manifest.hpp)
// and files (lock/statement_lock.hpp) become entries in the list of locks, beside those in C++.
//
//   add_locks({.manifests = {"my_lock/lock.json"}, .commands = {"first_try@redis=python3 my_lock.py"}});
//   const LockType& type = lock_type("my_lock");         // type.manifest is set
//   spawn({"holdfast", "client", added_lock_words("my_lock")...});
//
// A program to run is named on the command line, or shipped with holdfast, never taken from a stored file. A plan keeps
// the contents of its adapter's manifest, or of the lock's file (`stored_lock`), so that a different one with the same
// name is detected.
//
// Errors: BadInput with file, line and remedy.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"

namespace holdfast {

struct LocksToAdd {
  std::vector<std::string> manifests;     // files, or folders with a lock.json
  std::vector<std::string> commands;      // NAME=COMMAND, or NAME@SERVER=COMMAND, of a first try without a manifest
  std::vector<std::string> lock_files{};  // my_lock.sql
};

// Returns true if the name is that of a lock's file of statements.
bool is_lock_file(const std::string& path);

// Returns the locks' names without adding them.
std::vector<std::string> names_of(const LocksToAdd& order);

// Call it before any thread reads the list of locks. Returns the names of the added locks.
std::vector<std::string> add_locks(const LocksToAdd& order);

// Reads the texts of the added locks, so that errors in them are reported before a run, and later changes do not affect
// it.
void read_added_lock_texts();

// Adds all NAME/lock.json in `folder` whose names are not taken yet.
void add_adapters_in(const std::string& folder);

// Converts a manifest to the facts that a kind of server and a load need.
LockType lock_type_of(const Manifest& manifest);

// Maximum start time of its program on a fully loaded machine; 0: no program.
std::int64_t longest_start_ms(const LockType& type);

// Command-line words for another process of this program: --adapter FILE, --adapter-command TEXT, or --lock-file FILE.
// Empty: the lock is in C++.
std::vector<std::string> added_lock_words(const std::string& lock);

// The variables named in the manifest, with this process's values, under names that only processes of this program
// read; and the reverse, in the process that starts the adapter.
std::map<std::string, std::string> adapter_variables(const std::string& lock);
void take_adapter_variables(const std::string& lock);

// The manifest's, or the file's, contents as stored in a plan. Empty: the lock is in C++.
std::string stored_lock(const std::string& lock);

// Throws HarnessError if the lock is a file of statements that has changed since the plan was made.
void check_lock_file(const std::string& lock, const std::string& stored);

// "my_lock: its server is a stand-in": notes that the manifests of these locks (named as in a scenario, with or without
// a variant) want shown with every result; at most one per lock.
std::vector<std::string> notes_of(const std::vector<std::string>& locks);

// Reads NAME.md beside the manifest, or lock.md, or the notes of a file of statements; otherwise returns a text stating
// that there is no description.
LockTexts added_lock_texts(const std::string& lock);

}  // namespace holdfast
