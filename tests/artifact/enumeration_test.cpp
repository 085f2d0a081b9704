// The values of an enumeration are counted, and a table with too few or too many entries is refused.
#include "artifact/enumeration.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace holdfast {
namespace {

enum class Colour : std::uint8_t { red, green, blue };
enum class Wide : std::uint32_t { only };

static_assert(kEnumerators<Colour> == 3);
static_assert(kEnumerators<Wide> == 1);

struct Pair {
  const char* name = "";
  int number = 0;
};

template <class Table, class Entry, std::size_t size>
inline constexpr bool kTakes = std::is_constructible_v<Table, const Entry (&)[size]>;

static_assert(kTakes<EnumWords<Colour>, const char*, 3>);
static_assert(!kTakes<EnumWords<Colour>, const char*, 2>, "a value without a word");
static_assert(!kTakes<EnumWords<Colour>, const char*, 4>, "a word without a value");
static_assert(kTakes<EnumTable<Colour, Pair>, Pair, 3>);
static_assert(!kTakes<EnumTable<Colour, Pair>, Pair, 2>);

constexpr EnumWords<Colour> kWords({"red", "green", "blue"});

TEST(Enumeration, WordsMatchValues) {
  EXPECT_STREQ(kWords[Colour::red], "red");
  EXPECT_STREQ(kWords[Colour::blue], "blue");
  Colour read = Colour::red;
  EXPECT_TRUE(kWords.read("green", read));
  EXPECT_EQ(read, Colour::green);
  EXPECT_FALSE(kWords.read("grey", read));
  EXPECT_EQ(read, Colour::green);
  EXPECT_EQ(std::vector<std::string>(kWords.begin(), kWords.end()), (std::vector<std::string>{"red", "green", "blue"}));
}

TEST(Enumeration, UnknownNumberIsDetected) {
  Colour read{};
  const auto of_byte = [&](std::uint8_t byte) {
    std::memcpy(&read, &byte, sizeof read);
    return is_enumerator(read);
  };
  EXPECT_TRUE(of_byte(0));
  EXPECT_TRUE(of_byte(2));
  EXPECT_FALSE(of_byte(3));
  EXPECT_FALSE(of_byte(255));
}

}  // namespace
}  // namespace holdfast
