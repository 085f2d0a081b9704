// A 64-bit hash of a state: equal states give equal numbers; different ones collide only by chance. With a million
// states the probability of any collision is below 1 in 30 million.
//
//   Fingerprint print;
//   print.add(now_us).add("A").value();
//
// Two rounds of a 64-bit multiply and shift (the finaliser of splitmix64) over the added values, in order.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace holdfast {

class Fingerprint {
 public:
  Fingerprint() = default;
  explicit Fingerprint(std::uint64_t value) : value_(value) {}

  template <std::integral Number>
  Fingerprint& add(Number number) {
    value_ = mixed(value_ ^ mixed(static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15ULL));
    return *this;
  }
  Fingerprint& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char letter : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(letter)));
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }
  std::uint64_t value_ = 0;
};

}  // namespace holdfast
