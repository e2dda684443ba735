// A map on a finer grid, as recipes and commands make it.
#include <gtest/gtest.h>

#include "core/image/labels.hpp"
#include "core/maps/upsampled.hpp"
#include "core/pipeline/execution.hpp"
#include "core/projections/backproject.hpp"
#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 10;

Volume map_of_noise() {
  Volume volume;
  Pixels<float> pixels;
  pixels.size = {kSide, kSide, kSide};
  pixels.values = test::noise_map(kSide, 4);
  volume.pixels = std::move(pixels);
  volume.voxel = {1.2, 1.2, 1.2, "Å"};
  volume.origin = {-6.0, 3.0, 0.5};
  volume.name = "map";
  return volume;
}

Result<Execution> finer(Volume volume, std::map<std::string, ParameterValue> parameters = {}) {
  return execute({{"map_upsample", std::move(parameters)}}, Dataset::create(std::move(volume)),
                 *cpu_backend());
}

TEST(MapUpsample, VoxelsAreSmallerAndTheFirstStaysWhereItIs) {
  const auto done = finer(map_of_noise());
  ASSERT_TRUE(done) << done.error().message();
  const Volume& made = done->data->volume();
  EXPECT_EQ(made.size(), (Size3{30, 30, 30}));
  EXPECT_DOUBLE_EQ(made.voxel.z, 0.4);
  EXPECT_DOUBLE_EQ(made.voxel.y, 0.4);
  EXPECT_EQ(made.voxel.unit, "Å");
  EXPECT_EQ(made.origin, map_of_noise().origin);
  EXPECT_EQ(done->data->values().pixels().values, *upsampled(test::noise_map(kSide, 4), kSide, 3));
  const auto twice = finer(map_of_noise(), {{"times", std::int64_t{2}}});
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->data->size(), (Size3{20, 20, 20}));
}

TEST(MapUpsample, HalfMapsAndLabelsStayBehind) {
  Volume map = map_of_noise();
  Reconstruction made;
  made.half1 = test::noise_map(kSide, 5);
  made.half2 = test::noise_map(kSide, 6);
  map.reconstruction = std::make_shared<const Reconstruction>(std::move(made));
  Labels labels;
  labels.values.assign(kSide * kSide * kSide, 1);
  labels.largest = 1;
  map.labels = std::make_shared<const Labels>(std::move(labels));
  const auto done = finer(std::move(map));
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(done->data->volume().reconstruction, nullptr);
  EXPECT_EQ(done->data->labels(), nullptr);
}

TEST(MapUpsample, SaysWhatItCannotDo) {
  Volume slab;
  slab.pixels = Pixels<float>({4, 8, 8}, 1.0F);
  const auto flat = finer(std::move(slab));
  ASSERT_FALSE(flat);
  EXPECT_NE(flat.error().message().find("no cubic map"), std::string::npos);
  EXPECT_FALSE(finer(map_of_noise(), {{"times", std::int64_t{5}}}));
  Volume holed = map_of_noise();
  std::get<Pixels<float>>(holed.pixels).values[3] = NAN;
  EXPECT_FALSE(finer(std::move(holed)));
}

}  // namespace
}  // namespace aprscope
