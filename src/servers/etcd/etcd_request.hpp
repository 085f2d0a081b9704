// Converts a request in the words of etcdctl, etcd's own client, to one for etcd's JSON gateway, and its answer to a
// Reply (session.hpp).
//
//   const EtcdCommand command = file.bind("acquire", {{"key", "orders"}, ...});      // etcd_file.hpp
//   const EtcdCall call = etcd_call(command);                // "/v3/kv/txn", {"compare": [...], ...}
//   const Reply reply = etcd_reply(command, 200, body);
//
// Supported commands and their replies:
//
//   get KEY [--prefix] [--sort-by=CREATE] [--order=ASCEND] [--limit=N] [--consistency=s]
//                                  a row per key; it only reads. Fields: key, value, create, mod, lease
//   put KEY VALUE [--lease=L]      one change. Field: revision
//   del KEY                        as many changes as deleted keys. Field: revision
//   lease grant TTL                a row: leases are not data, so nothing is changed. Fields: lease, ttl
//   lease keep-alive --once L      the same; no row if the lease does not exist
//   lease revoke L                 one change. Field: revision
//   txn                            one change and a row if all comparisons hold: it then puts and deletes. Otherwise
//                                  neither. Field: revision, which equals that of a key it created
//
// The command defines the fields of a row and their order (`answers`). Leases are hexadecimal numbers, as in etcdctl;
// the gateway uses decimal ones.
//
// An etcd error is a reply if nothing can have been done (for example an expired lease). If that is open, as for
// "request timed out", it throws StatementFailed (indeterminate). So does an invalid answer.
//
// It does not connect (etcd_connection.hpp), and has no watches: locks poll.
#pragma once

#include <string>
#include <vector>

#include "store/session.hpp"

namespace holdfast {

struct EtcdCompare {
  std::string target;  // create, mod, version or value
  std::string key;
  std::string sign;  // = != < >
  std::string value;
};

struct EtcdCommand {
  std::vector<std::string> words;     // without etcdctl
  std::vector<EtcdCompare> compares;  // conditions of a txn
  std::vector<std::vector<std::string>> then;
  std::vector<std::vector<std::string>> otherwise;
  std::vector<std::string> answers;  // the fields of a row of its answer
};

struct EtcdCall {
  std::string path;
  std::string body;
};

EtcdCall etcd_call(const EtcdCommand& command);  // throws BadInput for an unsupported command

// Converts an answer with its HTTP status.
Reply etcd_reply(const EtcdCommand& command, long status, const std::string& body);

std::string base64(const std::string& bytes);

}  // namespace holdfast
