// The `:path` of each request of a connection of HTTP/2, which is the call's name: "/etcdserverpb.KV/Txn". Headers are
// compressed (RFC 7541), each with what those before it have left behind, so all of a connection must be read in their
// order. By libnghttp2, where the program was built with it.
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

  static std::string missing();  // why none can be read, and the remedy; empty: they can
  // Of one whole block; empty: it has none. Nothing: it is no block of headers, and no later one can be read.
  std::optional<std::string> read(std::string_view block);

 private:
  struct Inflater;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace holdfast
