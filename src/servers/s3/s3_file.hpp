// A file of named requests to an object store that can be pasted into a shell: commands of curl, one per line.
//
//   key=my_lock owner=me etag='"0c1a"'            # values for a person who pastes the file; skipped here
//   # name: create
//   # answers: etag
//   curl -X PUT "$S3/locks/$key" -H "If-None-Match: *" -d "$owner"
//
// A command has -X METHOD (GET, PUT or DELETE; default GET), the URL, any number of -H "Name: value", and for PUT one
// -d with the object's content. The URL begins with $S3, the store's address. A word is plain or in double quotes, and
// $name in quotes is a parameter. `answers` names the fields of a row of the answer (s3_request.hpp). No other shell
// syntax is allowed, so a shell and this reader agree. The harness sends the request itself: there is no shell.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "servers/s3/s3_request.hpp"
#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

class S3File {
 public:
  // Throws BadInput with file and line.
  static S3File parse(std::string_view text, const std::string& file);
  static S3File parse(const StatementFile& file) { return parse(file.text, file.path); }

  bool has(std::string_view name) const { return commands_.find(name) != commands_.end(); }
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // without duplicates; the name must exist

  // The request with its parameters filled in. Throws std::logic_error for an unknown request or parameter: the lock's
  // code and its file disagree. Throws BadInput for a value that no header can have.
  S3Command bind(std::string_view name, Params params) const;

 private:
  struct Line {
    std::vector<std::string> words;  // with $name in them
    std::vector<std::string> answers;
  };
  const Line& line(std::string_view name) const;
  std::map<std::string, Line, std::less<>> commands_;
};

}  // namespace holdfast
