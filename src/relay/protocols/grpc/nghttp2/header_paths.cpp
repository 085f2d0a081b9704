#include "relay/protocols/grpc/header_paths.hpp"

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <new>

namespace holdfast {

struct HeaderPaths::Inflater {
  nghttp2_hd_inflater* it = nullptr;
  Inflater() {
    if (::nghttp2_hd_inflate_new(&it) != 0) throw std::bad_alloc();
  }
  ~Inflater() { ::nghttp2_hd_inflate_del(it); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

HeaderPaths::HeaderPaths() : inflater_(std::make_unique<Inflater>()) {}
HeaderPaths::~HeaderPaths() = default;

std::string HeaderPaths::missing() {
  return "";
}

std::optional<std::string> HeaderPaths::read(std::string_view block) {
  std::string path;
  for (;;) {
    nghttp2_nv header{};
    int flags = 0;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(block.data());
    const ssize_t n = ::nghttp2_hd_inflate_hd2(inflater_->it, &header, &flags, bytes, block.size(), 1);
    if (n < 0) return std::nullopt;
    block.remove_prefix(static_cast<std::size_t>(n));
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0) {
      const std::string_view name(reinterpret_cast<const char*>(header.name), header.namelen);
      if (name == ":path") path.assign(reinterpret_cast<const char*>(header.value), header.valuelen);
    }
    if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) {
      ::nghttp2_hd_inflate_end_headers(inflater_->it);
      return path;
    }
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0 && block.empty()) return std::nullopt;
  }
}

}  // namespace holdfast
