// Memory that is passed on.

#include "core/base/scratch.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

TEST(ScratchInMemoryOf, TakesWhatIsLargeEnough) {
  for (const std::int64_t room : {1, 50, 1100, 3000000}) {
    // Neighbours in memory, which must not change.
    Scratch<float> before(2000);
    Scratch<float> spare(room, Pages::huge);
    Scratch<float> after(2000);
    std::iota(before.data(), before.data() + 2000, 0.0F);
    std::iota(after.data(), after.data() + 2000, 0.0F);
    std::fill(spare.data(), spare.data() + room, 1.0F);
    const void* const memory = spare.data();
    std::int64_t count = 2 * room;
    auto out = Scratch<std::uint16_t>::in_memory_of(std::move(spare), count);
    for (;;) {
      ASSERT_EQ(out.data(), memory);
      ASSERT_EQ(out.count(), count);
      std::iota(out.data(), out.data() + count, std::uint16_t{0});
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(out.data()[i], static_cast<std::uint16_t>(i));
      }
      if (count == 1) break;
      count /= 2;
      out = Scratch<std::uint16_t>::in_memory_of(std::move(out), count);
    }
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(before.data()[i], static_cast<float>(i));
      ASSERT_EQ(after.data()[i], static_cast<float>(i));
    }
  }
}

TEST(ScratchInMemoryOf, MakesNewWhereThereIsTooLittle) {
  auto out = Scratch<std::uint16_t>::in_memory_of(Scratch<float>(100), 201);
  ASSERT_EQ(out.count(), 201);
  std::fill(out.data(), out.data() + 201, std::uint16_t{7});
  auto first = Scratch<std::uint16_t>::in_memory_of(Scratch<float>(), 3);
  ASSERT_NE(first.data(), nullptr);
  first.data()[2] = 1;
  auto none = Scratch<std::uint16_t>::in_memory_of(Scratch<float>(), 0);
  EXPECT_EQ(none.count(), 0);
}

TEST(ReserveHuge, MakesRoomForZerosThatStayWhereTheyAre) {
  for (const std::int64_t count : {0, 1, 5000, 1500000, 5000000}) {
    // Neighbours in memory, which must not change.
    const std::vector<float> before(2000, 1.0F);
    std::vector<std::uint16_t> values;
    reserve_huge(values, count);
    const std::vector<float> after(2000, 2.0F);
    ASSERT_GE(values.capacity(), static_cast<std::size_t>(count));
    const void* const memory = values.data();
    // Bit by bit, each part written before the next one is made.
    for (std::int64_t part = 1; part <= 4; ++part) {
      const std::size_t old = values.size();
      values.resize(static_cast<std::size_t>(count * part / 4));
      for (std::size_t i = old; i < values.size(); ++i) {
        ASSERT_EQ(values[i], 0);
        values[i] = static_cast<std::uint16_t>(i);
      }
    }
    ASSERT_EQ(values.data(), memory);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], static_cast<std::uint16_t>(i));
    }
    EXPECT_EQ(before, std::vector<float>(2000, 1.0F));
    EXPECT_EQ(after, std::vector<float>(2000, 2.0F));
  }
}

}  // namespace
}  // namespace aprscope::test
