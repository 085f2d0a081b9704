#include "relay/protocols/grpc/header_paths.hpp"

namespace holdfast {

struct HeaderPaths::Inflater {};

HeaderPaths::HeaderPaths() = default;
HeaderPaths::~HeaderPaths() = default;

std::string HeaderPaths::missing() {
  return "this holdfast was built without libnghttp2, which reads etcd's requests; ./run setup etcd installs it";
}

std::optional<std::string> HeaderPaths::read(std::string_view /*block*/) {
  return std::nullopt;
}

}  // namespace holdfast
