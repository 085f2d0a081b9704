// A file of named commands of zkCli.sh, ZooKeeper's own client, one per line.
//
//   key=my_lock owner=me session_ms=3000                # values for a person who types them; skipped here
//   # name: open
//   # answers: session
//   zkCli.sh -timeout "$session_ms"
//
//   # name: enter
//   # answers: path czxid
//   create -s -e "/locks/$key/n-" "$owner"
//
// The command `zkCli.sh` is run in a shell and begins a session; all others are typed in that session. A word is plain
// or in double quotes, and $name in it is a parameter. `answers` names the fields of a row of the answer, in order:
//
//   zkCli.sh -timeout MS         begins a session and ends an earlier one. Field: session
//   create [-s] [-e] PATH DATA   one change and a row; `duplicate` if the node exists. Fields: path, czxid.
//                                -e: ephemeral, removed with the session. -s: sequential, its name gets a rising number
//   ls PATH                      a row per child, smallest name first; it only reads. Field: name
//   get PATH                     a row, or none without such a node; it only reads. Fields: data, czxid, version, mtime
//   stat PATH                    a row, or none without such a node; it only reads. Fields: czxid, version, mtime
//   set PATH DATA [-v VERSION]   one change and a row; none if the node is gone, or has another version. Field: version
//   delete [-v VERSION] PATH     the same, without a row
//   sync PATH                    makes the server catch up with the leader; it only reads
//
// A command after the end of its session is refused (`unavailable`), and nothing is done.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

enum class ZooKeeperVerb : std::uint8_t { open, create, list, get, stat, set, remove, sync };

struct ZooKeeperCommand {
  ZooKeeperVerb verb = ZooKeeperVerb::stat;
  std::string path;
  std::string data;
  std::int64_t version = -1;  // any
  std::int64_t session_ms = 0;
  bool sequential = false;
  bool ephemeral = false;
  std::vector<std::string> answers;  // the fields of a row
};

// Throws BadInput for an unsupported command.
ZooKeeperCommand zookeeper_command(const std::vector<std::string>& words, const std::vector<std::string>& answers);

class ZooKeeperFile {
 public:
  // Throws BadInput with file and line.
  static ZooKeeperFile parse(std::string_view text, const std::string& file);
  static ZooKeeperFile parse(const StatementFile& file) { return parse(file.text, file.path); }

  bool has(std::string_view name) const { return commands_.find(name) != commands_.end(); }
  bool opens(std::string_view name) const;  // a session
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // without duplicates; the name must exist

  // The command with its parameters filled in. Throws std::logic_error for an unknown command or parameter: the lock's
  // code and its file disagree.
  ZooKeeperCommand bind(std::string_view name, Params params) const;

 private:
  struct Command {
    std::vector<std::string> words;  // with $name in them
    std::vector<std::string> answers;
  };
  const Command& command(std::string_view name) const;
  std::map<std::string, Command, std::less<>> commands_;
};

}  // namespace holdfast
