// State of each dense id of a key or process, from 0 on; made on first use.
//
//   ById<Key> keys;
//   keys[event.key].asked = true;
//   if (const Key* key = keys.find(7)) ...     // null: no state was made for it, nor for a larger id
//
// Every event asks a dozen of these, so that a look costs one comparison: of a vector of large things even the size
// takes a multiplication. A larger id than before moves them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast {

template <typename State>
class ById {
 public:
  ById() = default;
  ById(const ById&) = delete;
  ById& operator=(const ById&) = delete;

  State& operator[](std::uint32_t id) { return id < size_ ? first_[id] : make(id); }
  State* find(std::uint32_t id) { return id < size_ ? first_ + id : nullptr; }
  const State* find(std::uint32_t id) const { return id < size_ ? first_ + id : nullptr; }
  std::uint32_t id_of(const State& one) const { return static_cast<std::uint32_t>(&one - first_); }

  std::uint32_t size() const { return size_; }
  State* begin() { return first_; }
  State* end() { return first_ + size_; }
  const State* begin() const { return first_; }
  const State* end() const { return first_ + size_; }

 private:
  [[gnu::cold, gnu::noinline]] State& make(std::uint32_t id) {
    states_.resize(std::size_t{id} + 1);
    first_ = states_.data();
    size_ = id + 1;
    return first_[id];
  }

  std::vector<State> states_;
  State* first_ = nullptr;  // data of states_
  std::uint32_t size_ = 0;
};

}  // namespace holdfast
