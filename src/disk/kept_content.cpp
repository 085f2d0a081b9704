#include "disk/kept_content.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace holdfast {
namespace {

// For each page touched by [offset, offset + length): the part that lies in the page.
struct Piece {
  std::uint64_t page;
  std::size_t begin;  // in the page
  std::size_t length;
  std::uint64_t done;  // bytes of the range before this piece
};

std::vector<Piece> pieces_of(std::uint64_t offset, std::uint64_t length) {
  std::vector<Piece> out;
  for (std::uint64_t done = 0; done < length;) {
    const std::uint64_t at = offset + done;
    const std::uint64_t begin = at % KeptContent::kPage;
    const std::uint64_t part = std::min(KeptContent::kPage - begin, length - done);
    out.push_back({at / KeptContent::kPage, begin, part, done});
    done += part;
  }
  return out;
}

template <class Pages>
void take_over(const std::set<std::uint64_t>& changed, const Pages& from, Pages& to) {
  for (const std::uint64_t number : changed) {
    const auto page = from.find(number);
    if (page == from.end()) {
      to.erase(number);
    } else {
      to[number] = page->second;
    }
  }
}

}  // namespace

std::string KeptContent::read(std::uint64_t offset, std::uint64_t length) const {
  if (offset >= size_) return "";
  length = std::min(length, size_ - offset);
  std::string out(length, '\0');
  for (const auto& piece : pieces_of(offset, length)) {
    const auto page = now_.find(piece.page);
    if (page != now_.end()) page->second->copy(out.data() + piece.done, piece.length, piece.begin);
  }
  return out;
}

// A page shared with the disk's state is copied before it changes.
KeptContent::Page& KeptContent::to_change(std::uint64_t number) {
  changed_.insert(number);
  auto& page = now_[number];
  if (!page) {
    page = std::make_shared<Page>(kPage, '\0');
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
  }
  return *page;
}

void KeptContent::drop(std::uint64_t number) {
  if (now_.erase(number) > 0) changed_.insert(number);
}

void KeptContent::write(std::uint64_t offset, std::string_view bytes) {
  for (const auto& piece : pieces_of(offset, bytes.size())) {
    to_change(piece.page).replace(piece.begin, piece.length, bytes.substr(piece.done, piece.length));
  }
  if (!bytes.empty()) size_ = std::max(size_, offset + bytes.size());
}

// Bytes beyond the new end must read as zeros if the file grows again.
void KeptContent::resize(std::uint64_t size) {
  const std::uint64_t old = size_;
  size_ = size;
  if (size >= old) return;
  const std::uint64_t begin = size % kPage;
  if (begin > 0 && now_.count(size / kPage) > 0)
    to_change(size / kPage).replace(begin, kPage - begin, kPage - begin, 0);
  const std::uint64_t first = size / kPage + (begin > 0 ? 1 : 0);
  std::vector<std::uint64_t> beyond;
  for (auto at = now_.lower_bound(first); at != now_.end(); ++at) beyond.push_back(at->first);
  for (const std::uint64_t number : beyond) drop(number);
}

void KeptContent::zero(std::uint64_t offset, std::uint64_t length) {
  if (offset >= size_) return;
  for (const auto& piece : pieces_of(offset, std::min(length, size_ - offset))) {
    if (piece.length == kPage) {
      drop(piece.page);
    } else if (now_.count(piece.page) > 0) {
      to_change(piece.page).replace(piece.begin, piece.length, piece.length, 0);
    }
  }
}

void KeptContent::sync() {
  take_over(changed_, now_, kept_);
  kept_size_ = size_;
  changed_.clear();
}

void KeptContent::lose() {
  take_over(changed_, kept_, now_);
  size_ = kept_size_;
  changed_.clear();
}

std::uint64_t KeptContent::unsynced_bytes() const {
  const std::uint64_t longer = std::max(size_, kept_size_);
  std::uint64_t bytes = 0;
  for (const std::uint64_t number : changed_) {
    const std::uint64_t begin = number * kPage;
    if (begin < longer) bytes += std::min(kPage, longer - begin);
  }
  return bytes;
}

}  // namespace holdfast
