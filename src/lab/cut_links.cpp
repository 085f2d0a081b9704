#include "lab/cut_links.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostLinks = 4096;

std::uint32_t number_of(const std::string& address) {
  in_addr out{};
  if (::inet_pton(AF_INET, address.c_str(), &out) != 1) throw HarnessError(address + ": not an IPv4 address");
  return out.s_addr;
}

}  // namespace

struct CutLinks::Table {
  struct Link {
    std::atomic<std::uint64_t> ends;  // from and to; 0: none
    std::atomic<std::uint32_t> node;  // the node for which it was set
  };
  std::atomic<std::uint32_t> used;  // links so far
  std::array<Link, kMostLinks> links;
};

CutLinks::CutLinks(const std::string& path) : table_(nullptr) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.none() || ::ftruncate(file.get(), sizeof(Table)) != 0) throw HarnessError(path + ": " + system_text(errno));
  void* const memory = ::mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) throw HarnessError(path + ": " + system_text(errno));
  table_ = static_cast<Table*>(memory);
}

CutLinks::~CutLinks() {
  ::munmap(table_, sizeof(Table));
}

void CutLinks::set(const std::string& node, const std::vector<std::string>& from, const std::vector<std::string>& to) {
  const std::lock_guard guard(setting_);
  const std::uint32_t here = number_of(node);
  for (std::uint32_t i = 0; i < table_->used.load(); ++i) {
    if (table_->links.at(i).node.load() == here) table_->links.at(i).ends.store(0);
  }
  for (const auto& address : from) add(here, number_of(address), here);
  for (const auto& address : to) add(here, here, number_of(address));
}

void CutLinks::add(std::uint32_t node, std::uint32_t from, std::uint32_t to) {
  std::uint32_t at = 0;
  while (at < table_->used.load() && table_->links.at(at).ends.load() != 0) ++at;
  if (at == kMostLinks) throw HarnessError("more than " + std::to_string(kMostLinks) + " links of the lab are cut");
  table_->links.at(at).node.store(node);
  table_->links.at(at).ends.store(std::uint64_t{from} << 32U | to);
  if (at == table_->used.load()) table_->used.store(at + 1);
}

bool CutLinks::is_cut(std::uint32_t from, std::uint32_t to) const {
  const std::uint64_t ends = std::uint64_t{from} << 32U | to;
  for (std::uint32_t i = 0; i < table_->used.load() && i < kMostLinks; ++i) {
    if (table_->links.at(i).ends.load() == ends) return true;
  }
  return false;
}

bool CutLinks::is_any_cut(std::uint32_t node) const {
  for (std::uint32_t i = 0; i < table_->used.load() && i < kMostLinks; ++i) {
    if (table_->links.at(i).node.load() == node && table_->links.at(i).ends.load() != 0) return true;
  }
  return false;
}

}  // namespace holdfast
