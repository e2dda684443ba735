#include "core/deconvolution/blur/cell_volumes.hpp"

#include <gtest/gtest.h>

#include "tests/core/deconvolution/explicit_blur.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

TEST(CellVolumes, CountThePixelsOfEachCell) {
  for (const Size3 size : {Size3{16, 16, 16}, Size3{9, 12, 21}, Size3{1, 5, 33}, Size3{1, 1, 7}}) {
    const auto access = test::random_access({size, 11, 0.5, true});
    const auto runs = cell_volumes(*access);
    const auto wanted = test::volumes(*access);
    ASSERT_EQ(runs.back().end, access->count());
    std::size_t i = 0;
    for (const WeightRun& run : runs) {
      for (; i < run.end; ++i) ASSERT_EQ(run.weight, wanted[i]) << "particle " << i;
    }
  }
}

}  // namespace
}  // namespace aprscope
