// The vDSO's ELF image: what is found in a real one, and that a broken one is refused and never read beyond its end.
#include "lab/vdso_image.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <cstddef>
#include <random>

#include "artifact/error.hpp"
#include "lab/process_memory.hpp"
#include "lab/vdso_code.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kRoom_bytes = 300;

class VdsoImageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (vdso_code().bytes.empty()) GTEST_SKIP() << "this machine is no x86-64";
    const ProcessMemory memory(::getpid());
    const auto range = memory.range("[vdso]");
    if (!range) GTEST_SKIP() << "this kernel gives no vDSO";
    bytes_ = memory.read(range->begin, range->size).value();
  }
  const VdsoEntry clock_gettime() const { return read_vdso_image(bytes_, kRoom_bytes).entries.front(); }

  std::string bytes_;
};

std::string why_not(const std::string& bytes, std::size_t room_bytes = kRoom_bytes) {
  try {
    read_vdso_image(bytes, room_bytes);
  } catch (const Unavailable& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST_F(VdsoImageTest, KernelImageHasClocksAndUnusedRoom) {
  const VdsoImage image = read_vdso_image(bytes_, kRoom_bytes);
  ASSERT_EQ(image.entries.size(), 3U);
  EXPECT_EQ(image.entries[0].name, "clock_gettime");
  EXPECT_EQ(image.entries[1].name, "gettimeofday");
  EXPECT_EQ(image.entries[2].name, "time");
  EXPECT_EQ(image.room % 64, 0U);
  EXPECT_EQ(bytes_.substr(image.room, kRoom_bytes).find_first_not_of('\0'), std::string::npos);
  for (const VdsoEntry& entry : image.entries) EXPECT_LT(entry.to, image.room);
}

TEST_F(VdsoImageTest, JumpFollowsEndbr) {
  const std::size_t begin = clock_gettime().jump;
  bytes_.replace(begin, 4, "\xf3\x0f\x1e\xfa");
  EXPECT_EQ(clock_gettime().jump, begin + 4);
}

TEST_F(VdsoImageTest, AFunctionThatJumpsBackToItsHeadIsKeptOutOfWhole) {
  const VdsoEntry before = clock_gettime();
  EXPECT_EQ(before.to - before.from, kJump_bytes - 1);
  bytes_.replace(before.jump + 20, 2, "\xeb\xec");  // 20 + 2 - 20: to the third byte
  const VdsoEntry after = clock_gettime();
  EXPECT_EQ(after.jump, before.jump);
  EXPECT_GT(after.to, before.jump + 22);
}

TEST_F(VdsoImageTest, ImageWithoutRoomOrOfAnotherKindIsRefused) {
  EXPECT_TRUE(contains(why_not(bytes_, bytes_.size()),
                       "has no room for " + std::to_string(bytes_.size()) + " bytes; remedy: "));
  EXPECT_TRUE(contains(why_not(""), "refers to data outside it"));
  EXPECT_TRUE(contains(why_not(std::string(8192, '\0')), "is not for 64-bit x86"));
  std::string other = bytes_;
  other[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_AARCH64);
  EXPECT_TRUE(contains(why_not(other), "is not for 64-bit x86"));
}

// Whatever stands in it: what is found lies inside, or it is refused.
TEST_F(VdsoImageTest, ABrokenOneIsRefusedOrReadInsideItsBounds) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string broken = bytes_;
    if (round % 4 == 0) broken.resize(random() % broken.size());
    for (int change = 0; change < 4 && !broken.empty(); ++change) {
      broken[random() % std::min<std::size_t>(broken.size(), 0x600)] = static_cast<char>(random());
    }
    try {
      const VdsoImage image = read_vdso_image(broken, kRoom_bytes);
      ++accepted;
      EXPECT_LE(image.room + kRoom_bytes, broken.size());
      for (const VdsoEntry& entry : image.entries) EXPECT_LE(entry.jump + kJump_bytes, broken.size());
    } catch (const Unavailable&) {
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace holdfast
