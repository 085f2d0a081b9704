// The bytes of a file in its two states, against a model that keeps both in full.
#include "disk/kept_content.hpp"

#include <gtest/gtest.h>

#include <random>

namespace holdfast {
namespace {

constexpr std::uint64_t kPage = KeptContent::kPage;

std::string all_of(const KeptContent& file) {
  return file.read(0, file.size() + kPage);
}

TEST(KeptContent, ReadsWrittenBytes) {
  KeptContent file;
  file.write(3, "abc");
  EXPECT_EQ(all_of(file), std::string("\0\0\0abc", 6));
  EXPECT_EQ(file.read(4, 1), "b");
  EXPECT_EQ(file.read(6, 10), "");
}

TEST(KeptContent, LosesUnsyncedBytes) {
  KeptContent file;
  file.write(0, "lock=7");
  file.sync();
  EXPECT_TRUE(file.synced());
  EXPECT_EQ(file.unsynced_bytes(), 0U);
  file.write(5, "89");
  EXPECT_FALSE(file.synced());
  EXPECT_EQ(file.unsynced_bytes(), 7U) << "the page, as far as the file reaches";
  file.lose();
  EXPECT_EQ(all_of(file), "lock=7");
}

TEST(KeptContent, ATruncationIsLostToo) {
  KeptContent file;
  file.write(0, std::string(2 * kPage, 'x'));
  file.sync();
  file.resize(10);
  EXPECT_EQ(file.size(), 10U);
  file.resize(kPage);
  EXPECT_EQ(file.read(9, 3), std::string("x\0\0", 3)) << "what was cut off does not come back";
  file.lose();
  EXPECT_EQ(all_of(file), std::string(2 * kPage, 'x'));
}

TEST(KeptContent, HolesTakeNoSpace) {
  KeptContent file;
  file.resize(1'000'000'000'000);
  EXPECT_EQ(file.read(999'999'999'990, 20), std::string(10, '\0'));
  file.lose();
  EXPECT_EQ(file.size(), 0U);
}

// Both states in full.
struct WholeFile {
  std::string now;
  std::string kept;

  void write(std::size_t offset, const std::string& bytes) {
    if (now.size() < offset + bytes.size()) now.resize(offset + bytes.size());
    now.replace(offset, bytes.size(), bytes);
  }
  void zero(std::size_t offset, std::size_t length) {
    for (std::size_t i = offset; i < now.size() && i < offset + length; ++i) now[i] = '\0';
  }
};

std::size_t some_offset(std::mt19937& random) {
  const std::size_t page = random() % 4 * kPage;
  return random() % 2 == 0 ? page + random() % 3 : page + random() % kPage;
}

void do_something(std::mt19937& random, KeptContent& file, WholeFile& model) {
  const std::size_t at = some_offset(random);
  const std::size_t length = random() % 3 == 0 ? kPage : random() % 3000;
  switch (random() % 8) {
    case 0:
      file.resize(at);
      model.now.resize(at);
      break;
    case 1:
      file.zero(at, length);
      model.zero(at, length);
      break;
    case 2:
      file.sync();
      model.kept = model.now;
      break;
    case 3:
      file.lose();
      model.now = model.kept;
      break;
    default: {
      const std::string bytes(length, static_cast<char>('a' + random() % 26));
      file.write(at, bytes);
      if (!bytes.empty()) model.write(at, bytes);
    }
  }
}

TEST(KeptContent, AgreesWithAModelThatKeepsBothStatesInFull) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    KeptContent file;
    WholeFile model;
    for (int step = 0; step < 60; ++step) {
      do_something(random, file, model);
      ASSERT_EQ(file.size(), model.now.size()) << "seed " << seed << ", step " << step;
      ASSERT_EQ(all_of(file), model.now) << "seed " << seed << ", step " << step;
    }
    file.lose();
    ASSERT_EQ(all_of(file), model.kept) << "seed " << seed;
  }
}

}  // namespace
}  // namespace holdfast
