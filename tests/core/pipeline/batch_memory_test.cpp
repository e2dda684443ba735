#include "core/pipeline/batch_memory.hpp"

#include <gtest/gtest.h>

#include "core/dataset/dataset.hpp"
#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

SourceInfo image(Size3 size) {
  SourceInfo info;
  info.size = size;
  info.dtype = "f32";
  return info;
}

TEST(BatchMemory, CoversWhatTheOperationSays) {
  const Size3 size{60, 80, 100};
  const auto data = Dataset::create(test::image_of(size, test::rough));
  for (const char* id : {"box", "median", "convert"}) {
    const std::uint64_t step = cpu_backend()->estimate_bytes({id, {}}, *data);
    EXPECT_GT(estimate_job_bytes({"", 0, 0, {{id, {}}}}, image(size)), step + data->bytes()) << id;
  }
}

// A terabyte is only spoken of.
TEST(BatchMemory, GrowsWithTheImageWithoutReadingIt) {
  const Recipe recipe{"", 0, 0, {{"convert", {}}, {"gaussian", {}}}};
  const auto base = static_cast<double>(estimate_job_bytes({}, image({1, 1, 1})));
  const auto small = static_cast<double>(estimate_job_bytes(recipe, image({128, 256, 256}))) - base;
  const auto large =
      static_cast<double>(estimate_job_bytes(recipe, image({8192, 4096, 8192}))) - base;
  EXPECT_NEAR(large / small, 64.0 * 16.0 * 32.0, 0.01 * 64.0 * 16.0 * 32.0);
  EXPECT_GT(small, 128.0 * 256.0 * 256.0 * 8.0);
}

}  // namespace
}  // namespace aprscope
