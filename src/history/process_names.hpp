// Names of processes, and the small dense ids that stand for them.
//
//   ProcessNames names;
//   names.id_of("17")    // 0: the first
//   names.at(0)          // "17"
//
// Nearly all names are numbers, and a long history has very many of them, since an identity retires with each
// indeterminate acquire and is never forgotten: a number costs about ten bytes, any other name about a hundred.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace holdfast {

class ProcessNames {
 public:
  ProcessNames() = default;
  ProcessNames(std::initializer_list<const char*> names) {
    for (const char* name : names) id_of(std::string(name));
  }

  // The id of a name, or a new one.
  std::uint32_t id_of(const std::string& name);
  std::uint32_t id_of(std::uint32_t number) {
    const std::uint32_t known = known_number(number);
    return known != 0 ? known - 1 : add(number);
  }
  std::string at(std::uint32_t id) const;  // std::out_of_range where there is none
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }
  std::vector<std::string> all() const;

 private:
  static constexpr std::uint32_t kMost = 1U << 24;  // numbers from here on are kept as any other name
  static constexpr std::uint32_t kOfAPage = 1024;
  using Page = std::vector<std::uint32_t>;  // kOfAPage, or none

  std::uint32_t known_number(std::uint32_t number) const {  // its id + 1; 0: none
    const std::uint32_t page = number / kOfAPage;
    return page < ids_.size() && !ids_[page].empty() ? ids_[page][number % kOfAPage] : 0;
  }
  static std::optional<std::uint32_t> number_of(const std::string& name);
  [[gnu::cold]] std::uint32_t add(std::uint32_t number);
  std::uint32_t add(const std::string& name);

  std::vector<std::uint32_t> numbers_;  // by id; kMost: a name of another kind
  std::vector<Page> ids_;               // number -> id + 1
  std::unordered_map<std::string, std::uint32_t> other_ids_;
  std::unordered_map<std::uint32_t, std::string> other_names_;
};

}  // namespace holdfast
