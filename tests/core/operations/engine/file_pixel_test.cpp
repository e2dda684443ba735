#include "core/operations/engine/file_pixel.hpp"

#include <gtest/gtest.h>

#include "core/dataset/first_pixel.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

TEST(FilePixel, IsWhereTheCellBeginsInMemory) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.apr";
  const Apr apr = random_apr({{33, 40, 52}, 3, 0.5, true});
  ASSERT_TRUE(write_apr(apr, path).ok());
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  const auto file = AprFileSlabs::open(*info, {});
  ASSERT_TRUE(file.ok() && *file);
  for (std::uint64_t i = 0; i < apr.access->count(); i += 7) {
    const auto at = first_pixel(**file, i, {});
    ASSERT_TRUE(at.ok());
    const Index3 wanted = first_pixel(apr.access->particles(), i);
    EXPECT_TRUE(at->z == wanted.z && at->x == wanted.x && at->y == wanted.y) << i;
  }
}

}  // namespace
}  // namespace aprscope::test
