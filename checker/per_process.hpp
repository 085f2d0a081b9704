// What is known of each process, by its dense id, for as long as it may say something more.
//
//   PerProcess<Operation> last;
//   last[process].open = true;    // known, or made anew
//   last.forget(process);         // an identity that has retired; should it speak again, it is known anew
//
// Ids rise as identities retire, so they are kept by pages of 64, and a page is let go when nobody of it is known any
// more: memory follows those who may still speak, not the history's length. What is known stays where it is until it is
// forgotten.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast {

template <typename State>
class PerProcess {
 public:
  State& operator[](std::uint32_t process) {
    State* const known = find(process);
    return known != nullptr ? *known : make(process);
  }
  State* find(std::uint32_t process) { return const_cast<State*>(std::as_const(*this).find(process)); }
  const State* find(std::uint32_t process) const {
    const std::uint32_t page = process / kOfAPage;
    if (page >= pages_.size() || !pages_[page]) return nullptr;
    return (pages_[page]->known & bit(process)) != 0 ? &pages_[page]->states[process % kOfAPage] : nullptr;
  }

  void forget(std::uint32_t process) {
    State* const known = find(process);
    if (known == nullptr) return;
    std::unique_ptr<Page>& page = pages_[process / kOfAPage];
    *known = State();
    page->known &= ~bit(process);
    if (page->known == 0) page.reset();
  }

  // visit(process, state), by ids.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      for (std::uint64_t left = pages_[page] ? pages_[page]->known : 0; left != 0; left &= left - 1) {
        const auto at = static_cast<std::uint32_t>(std::countr_zero(left));
        visit(page * kOfAPage + at, pages_[page]->states[at]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kOfAPage = 64;
  struct Page {
    std::uint64_t known = 0;
    std::array<State, kOfAPage> states{};
  };
  static std::uint64_t bit(std::uint32_t process) { return std::uint64_t{1} << (process % kOfAPage); }

  [[gnu::cold]] State& make(std::uint32_t process) {
    const std::uint32_t page = process / kOfAPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    pages_[page]->known |= bit(process);
    return pages_[page]->states[process % kOfAPage];
  }

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace holdfast
