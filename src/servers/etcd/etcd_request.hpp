// A request to etcd in the words of its own client, etcdctl, as etcd's JSON gateway takes it, and what its answer is in
// the words of session.hpp.
//
//   const EtcdCommand command = file.bind("acquire", {{"key", "orders"}, ...});      // etcd_file.hpp
//   const EtcdCall call = etcd_call(command);                // "/v3/kv/txn", {"compare": [...], ...}
//   const Reply reply = etcd_reply(command, 200, body);
//
// What it knows, and what a reply has:
//
//   get KEY [--prefix] [--sort-by=CREATE] [--order=ASCEND] [--limit=N] [--consistency=s]
//                                  a row a key; it only read. Fields: key, value, create, mod, lease
//   put KEY VALUE [--lease=L]      one change. Field: revision
//   del KEY                        as many changes as keys. Field: revision
//   lease grant TTL                a row: leases are no part of the data, so nothing is changed. Fields: lease, ttl
//   lease keep-alive --once L      the same; no row where there is no such lease any more
//   lease revoke L                 one change. Field: revision
//   txn                            one change and a row, if all it compares is so: it then puts and deletes. Else
//                                  neither. Field: revision, which is the revision that a key has which it created
//
// Which fields a row has, and in which order, the command says (`answers`). Leases are hexadecimal numbers, as etcdctl
// has them; the gateway has decimal ones.
//
// An error of etcd is a reply where nothing can have been done (a lease that is gone, say). Where it leaves that open,
// as "request timed out" does, it throws StatementFailed (indeterminate). So does an answer that is none of etcd's.
//
// It does not connect (etcd_connection.hpp), and knows no watches: a lock here asks again.
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
  std::vector<EtcdCompare> compares;  // of a txn: what has to be so
  std::vector<std::vector<std::string>> then;
  std::vector<std::vector<std::string>> otherwise;
  std::vector<std::string> answers;  // the fields of a row of its answer
};

struct EtcdCall {
  std::string path;
  std::string body;
};

EtcdCall etcd_call(const EtcdCommand& command);  // BadInput: it is no command that is known here

// Of an answer with an HTTP status.
Reply etcd_reply(const EtcdCommand& command, long status, const std::string& body);

std::string base64(const std::string& bytes);

}  // namespace holdfast
