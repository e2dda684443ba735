// Slices from the middle of an image, in whole chunks.
#include "core/io/zarr/zarr_slab.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

OpenZarrImage open_array(const fs::path& folder) {
  auto store = ZarrStore::open(folder);
  EXPECT_TRUE(store.ok());
  auto image = zarr_image(*store, "", {});
  EXPECT_TRUE(image.ok());
  return {*std::move(store), *std::move(image), {}};
}

TEST(ZarrSlab, HasItsSlicesWhereverChunksEnd) {
  const TemporaryFolder folder;
  small(folder / "a").write_2("<u2");
  const OpenZarrImage open = open_array(folder / "a");
  const ZarrChunks chunks(open.store, open.image.array);
  // Chunks are 2 slices deep.
  for (const std::int64_t z : {0, 1, 3}) {
    std::vector<std::uint16_t> slab(2 * 7 * 11);
    ASSERT_TRUE(read_zarr_slab(open, chunks, z, 2, slab.data(), {}));
    std::vector<double> exact(slab.size());
    ASSERT_TRUE(read_zarr_slab(open, chunks, z, 2, exact.data(), {}));
    for (std::int64_t i = 0; i < std::int64_t{2} * 7 * 11; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ASSERT_EQ(slab[at], sample({z + i / 77, i / 11 % 7, i % 11})) << z << " " << i;
      ASSERT_EQ(exact[at], slab[at]);
    }
  }
}

TEST(ZarrSlab, IsWholeChunksOfSomeMegabytes) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.shape = {40, 512, 512};
  made.chunk = {6, 512, 512};
  made.fill = 9;
  made.leave_out = [](const Index&) { return true; };
  made.write_2("<u2");
  const OpenZarrImage open = open_array(folder / "a");
  // 16 slices would be enough, and 3 chunks are 18.
  EXPECT_EQ(open.slab_depth(), 18);
  const ZarrChunks chunks(open.store, open.image.array);
  std::vector<float> slab(std::size_t{18} * 512 * 512);
  ASSERT_TRUE(read_zarr_slab(open, chunks, 18, 18, slab.data(), {}));
  EXPECT_EQ(slab, std::vector<float>(slab.size(), 9.0F));
  // A chunk that is larger than the image.
  made.folder = folder / "b";
  made.shape = {5, 7, 11};
  made.write_2("<u2");
  EXPECT_EQ(open_array(folder / "b").slab_depth(), 5);
}

}  // namespace
}  // namespace aprscope::test
