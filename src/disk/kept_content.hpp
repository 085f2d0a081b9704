// The bytes of one file in two states: as processes read them, and as they are on the disk.
//
//   KeptContent file;
//   file.write(0, "lock=7");      // size() == 6, read(0, 6) == "lock=7"
//   file.sync();                  // now it is on the disk
//   file.write(5, "8");
//   file.lose();                  // read(0, 6) == "lock=7" again
//
// Bytes are stored in pages of kPage bytes; a page that was never written is a hole and reads as zeros. Both states
// share equal pages, so a sync costs only what was written since the last one. `lose` drops everything written since
// then, in whole pages: partial survival is not modelled.
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
  std::string read(std::uint64_t offset, std::uint64_t length) const;  // returns fewer bytes at the end of the file
  void write(std::uint64_t offset, std::string_view bytes);
  void resize(std::uint64_t size);
  void zero(std::uint64_t offset, std::uint64_t length);  // must lie within the file; the size stays

  void sync();
  void lose();
  std::uint64_t unsynced_bytes() const;  // bytes of pages that differ, and of a changed size
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
