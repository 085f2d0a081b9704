// The bytes of one file, as processes read them and as they are on the disk.
//
//   KeptContent file;
//   file.write(0, "lock=7");      // size() == 6, read(0, 6) == "lock=7"
//   file.sync();                  // now it is on the disk
//   file.write(5, "8");
//   file.lose();                  // read(0, 6) == "lock=7" again
//
// Bytes are kept in pages of kPage bytes; a page that was never written is a hole and reads as zeros. Both states share
// the pages in which they agree, so that a sync costs as much as was written since the last one. `lose` drops all that
// was written since then, in whole pages: a disk that keeps a part of it is not modelled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace holdfast {

class KeptContent {
 public:
  static constexpr std::uint64_t kPage = 4096;

  std::uint64_t size() const { return size_; }
  std::string read(std::uint64_t offset, std::uint64_t length) const;  // fewer bytes at the end of the file
  void write(std::uint64_t offset, std::string_view bytes);
  void resize(std::uint64_t size);
  void zero(std::uint64_t offset, std::uint64_t length);  // within the file; it stays as long as it is

  void sync();
  void lose();
  std::uint64_t unsynced_bytes() const;  // of pages that differ, and of a size that does
  bool synced() const { return changed_.empty() && size_ == kept_size_; }

 private:
  using Page = std::string;  // always kPage bytes
  using Pages = std::map<std::uint64_t, std::shared_ptr<Page>>;

  Page& to_change(std::uint64_t number);
  void drop(std::uint64_t number);

  Pages now_;
  Pages kept_;
  std::uint64_t size_ = 0;
  std::uint64_t kept_size_ = 0;
  std::set<std::uint64_t> changed_;  // pages, since the last sync
};

}  // namespace holdfast
