// The `:path` of each request on an HTTP/2 connection, which is the call's name: "/etcdserverpb.KV/Txn". Header
// compression (RFC 7541) depends on earlier headers, so all of a connection must be read in order. Uses libnghttp2, if
// the program was built with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

class HeaderPaths {
 public:
  HeaderPaths();
  ~HeaderPaths();
  HeaderPaths(const HeaderPaths&) = delete;
  HeaderPaths& operator=(const HeaderPaths&) = delete;

  static std::string missing();  // reason and remedy if paths cannot be read; empty: they can
  // For one whole block; the path is empty if it has none. Returns nothing for an invalid block, after which no later
  // one can be read.
  std::optional<std::string> read(std::string_view block);

 private:
  struct Inflater;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace holdfast
