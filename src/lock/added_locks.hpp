// Locks that are programs of their own, in any language, or a file of statements and no program at all: their manifests
// (adapter/manifest.hpp) and their files (lock/statement_lock.hpp) become entries of the list of locks, beside those
// written in C++. Everything that asks the list then knows them.
//
//   add_locks({.manifests = {"my_lock/lock.json"}, .commands = {"first_try@redis=python3 my_lock.py"}});
//   const LockType& type = lock_type("my_lock");         // type.manifest is set
//   spawn({"holdfast", "client", added_lock_words("my_lock")...});
//
// A program to run is named by the command line, or comes with holdfast; never by a stored file. A plan keeps what its
// adapter's manifest, or the lock's file, said (`stored_lock`), so that another one of the same name is noticed.
//
// Errors: BadInput, with file, line and remedy.
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

// Whether a file of that name would be one of a lock's statements.
bool is_lock_file(const std::string& path);

// The names of the locks that these are, without adding them.
std::vector<std::string> names_of(const LocksToAdd& order);

// Before any thread reads the list of locks. Gives the names of those that were added.
std::vector<std::string> add_locks(const LocksToAdd& order);

// Reads what people are told of those that were added, so that a mistake in it is told before anything runs, and one
// that is made meanwhile costs no verdict.
void read_added_lock_texts();

// All that lie in `folder`, each as NAME/lock.json, whose names are not taken yet.
void add_adapters_in(const std::string& folder);

// What of them a kind of server and a load need to know.
LockType lock_type_of(const Manifest& manifest);

// How long its program may take to begin, on the fullest machine; 0: it has none.
std::int64_t longest_start_ms(const LockType& type);

// In the words of a command line, for another process of this program: --adapter FILE, --adapter-command TEXT, or
// --lock-file FILE.
// Empty: the lock is in C++.
std::vector<std::string> added_lock_words(const std::string& lock);

// The variables that the manifest names, as this process has them, under names that only processes of this program look
// at; and back again, in the process that starts the adapter.
std::map<std::string, std::string> adapter_variables(const std::string& lock);
void take_adapter_variables(const std::string& lock);

// What the manifest, or the file of statements, says, as a plan keeps it. Empty: the lock is in C++.
std::string stored_lock(const std::string& lock);

// Throws HarnessError where the lock is a file of statements, and no longer the one that the plan was made for.
void check_lock_file(const std::string& lock, const std::string& stored);

// "my_lock: its server is a stand-in": what the manifests of these locks (as in a scenario, with or without a variant)
// want to be told with every result; one text a lock that has any.
std::vector<std::string> notes_of(const std::vector<std::string>& locks);

// Of the file NAME.md beside the manifest, or of lock.md, or of the notes of a file of statements; where there is none,
// that the author said nothing.
LockTexts added_lock_texts(const std::string& lock);

}  // namespace holdfast
