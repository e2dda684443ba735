#include "core/base/nameless_file.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(NamelessFile, GivesBackWhatWasAppended) {
  const test::TemporaryFolder folder;
  auto file = NamelessFile::create(folder.path(), "advice");
  ASSERT_TRUE(file) << file.error().message();
  const Bytes first{1, 2, 3};
  const Bytes second(100'000, 7);
  ASSERT_TRUE(file->append(first));
  ASSERT_TRUE(file->append(second));
  EXPECT_EQ(file->size(), 100'003U);
  Bytes out(3);
  ASSERT_TRUE(file->read(0, out));
  EXPECT_EQ(out, first);
  out.resize(100'000);
  ASSERT_TRUE(file->read(3, out));
  EXPECT_EQ(out, second);
}

TEST(NamelessFile, HasNoNameInItsFolder) {
  const test::TemporaryFolder folder;
  auto file = NamelessFile::create(folder.path(), "advice");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(Bytes(1000, 1)));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(NamelessFile, SaysWhereItCannotBeMade) {
  const test::TemporaryFolder folder;
  const auto missing = folder.path() / "missing";
  const auto file = NamelessFile::create(missing, "choose another folder");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, missing.string());
  EXPECT_EQ(file.error().advice, "choose another folder");
}

TEST(NamelessFile, SaysThatNothingMoreIsThere) {
  const test::TemporaryFolder folder;
  auto file = NamelessFile::create(folder.path(), "advice");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(Bytes(10, 1)));
  Bytes out(11);
  EXPECT_FALSE(file->read(0, out));
}

TEST(ScratchFolder, IsLookedAtForRoom) {
  const test::TemporaryFolder folder;
  if (lies_in_memory(folder.path()).value_or(true)) {
    EXPECT_FALSE(has_ample_room(folder.path(), 1));
  } else {
    EXPECT_TRUE(has_ample_room(folder.path(), 1));
    const auto free = std::filesystem::space(folder.path()).available;
    EXPECT_FALSE(has_ample_room(folder.path(), free));
  }
  EXPECT_FALSE(has_ample_room(folder.path() / "missing", 1));
  EXPECT_FALSE(lies_in_memory(folder.path() / "missing"));
}

}  // namespace
}  // namespace aprscope
