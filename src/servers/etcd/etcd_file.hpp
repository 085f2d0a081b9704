// A file of named requests to etcd that can be pasted into a shell.
//
//   key=my_lock owner=6f1c ttl_s=30 lease=694d81417acd4705      # values for a person who pastes the file; skipped here
//   # name: grant
//   # answers: lease ttl
//   etcdctl lease grant "$ttl_s"
//
//   # name: acquire
//   # answers: revision
//   etcdctl txn <<EOF
//   create("/locks/$key") = "0"
//
//   put "/locks/$key" "$owner" --lease=$lease
//
//
//   EOF
//
// Each name has one command of those in etcd_request.hpp. `answers` names the fields of a row of its answer, in order.
// A txn has three parts, each ended by an empty line, as etcdctl reads them: conditions, operations if they hold, and
// operations otherwise. A word is plain or in double quotes, and $name in it is a parameter; on the command's own line
// only inside quotes, where a shell does not split it. No other shell syntax is allowed, so a shell and this reader
// agree. The harness sends JSON with each word as a separate value: there is no shell and no quoting.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "servers/etcd/etcd_request.hpp"
#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

class EtcdFile {
 public:
  // Throws BadInput with file and line.
  static EtcdFile parse(std::string_view text, const std::string& file);
  static EtcdFile parse(const StatementFile& file) { return parse(file.text, file.path); }

  bool has(std::string_view name) const { return commands_.find(name) != commands_.end(); }
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // without duplicates; the name must exist

  // The command with its parameters filled in. Throws std::logic_error for an unknown command or parameter: the lock's
  // code and its file disagree.
  EtcdCommand bind(std::string_view name, Params params) const;

 private:
  // A word is the concatenation of its pieces.
  struct Piece {
    std::string text;
    bool parameter = false;
  };
  using Word = std::vector<Piece>;
  using Line = std::vector<Word>;
  struct Command {
    Line words;
    std::vector<Line> compares;  // of four words each
    std::vector<Line> then;
    std::vector<Line> otherwise;
    std::vector<std::string> answers;
  };
  template <class Value>
  static EtcdCommand filled(const Command& command, const Value& value_of);
  friend class EtcdFileReader;
  std::map<std::string, Command, std::less<>> commands_;
};

}  // namespace holdfast
