#include "core/dataset/dataset.hpp"

#include <memory>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/pipeline/backend.hpp"
#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

TEST(Dataset, SaysWhatItHolds) {
  Volume image = test::image_of({4, 5, 6}, test::rough);
  image.voxel = {3, 2, 1, "µm"};
  const auto pixels = Dataset::create(image);
  EXPECT_FALSE(pixels->is_apr());
  EXPECT_EQ(pixels->name(), "image");
  EXPECT_EQ(pixels->size(), (Size3{4, 5, 6}));
  EXPECT_EQ(pixels->voxel(), image.voxel);
  EXPECT_EQ(pixels->bytes(), 4U * 4 * 5 * 6);
  const auto apr = Dataset::create(test::uniform_apr({4, 5, 6}, 3, test::rough));
  EXPECT_TRUE(apr->is_apr());
  EXPECT_EQ(apr->size(), (Size3{4, 5, 6}));
  EXPECT_EQ(apr->shared_volume(), nullptr);
}

TEST(Dataset, OtherLabelsShareTheValues) {
  Volume image = test::image_of({4, 4, 4}, test::rough);
  Labels first;
  first.values.assign(64, 1);
  first.largest = 1;
  image.labels = std::make_shared<const Labels>(first);
  const auto data = Dataset::create(image);
  ASSERT_NE(data->labels(), nullptr);
  Labels second = first;
  second.values[7] = 0;
  const auto other = data->with_labels(std::make_shared<const Labels>(second));
  EXPECT_EQ(*data->labels(), first);
  EXPECT_EQ(*other->labels(), second);
  EXPECT_TRUE(other->shares_values(*data));
  EXPECT_EQ(other->shared_volume(), data->shared_volume());
  // What is derived, too: the renderer is built once.
  const auto raycaster = data->raycaster();
  ASSERT_TRUE(raycaster.ok());
  EXPECT_EQ(*other->raycaster(), *raycaster);
  // A copy has pixels of its own, and the labels.
  const auto copy = Dataset::create(other->copy());
  EXPECT_FALSE(copy->shares_values(*data));
  EXPECT_EQ(*copy->labels(), second);
  EXPECT_EQ(std::get<Volume>(with_voxel_size(*other, {2, 2, 2, "µm"})).labels, other->labels());
  // Of particles the history goes with the labels.
  const auto apr = Dataset::create(test::uniform_apr({4, 4, 4}, 2, test::rough));
  Labels of_particles;
  of_particles.values.assign(apr->apr().access->count(), 3);
  of_particles.largest = 3;
  const auto labelled =
      apr->with_labels(std::make_shared<const Labels>(of_particles), "found [cpu]");
  EXPECT_TRUE(labelled->shares_values(*apr));
  EXPECT_EQ(labelled->apr().labels, labelled->labels());
  EXPECT_EQ(labelled->apr().history.back(), "found [cpu]");
  EXPECT_EQ(labelled->values().particles().data(), apr->values().particles().data());
}

TEST(Dataset, VolumeOutlivesTheDataset) {
  auto data = Dataset::create(test::image_of({4, 4, 4}, test::rough));
  const std::shared_ptr<const Volume> kept = data->shared_volume();
  const std::weak_ptr<const Dataset> gone = data;
  data.reset();
  EXPECT_TRUE(gone.expired());
  EXPECT_EQ(kept->value({1, 2, 3}), static_cast<float>(test::rough(1, 2, 3)));
}

TEST(Dataset, RendererDoesNotKeepTheDataset) {
  auto data = Dataset::create(test::image_of({8, 8, 8}, test::rough));
  auto raycaster = data->raycaster();
  ASSERT_TRUE(raycaster.ok()) << raycaster.error().message();
  EXPECT_EQ(*data->raycaster(), *raycaster);
  const std::weak_ptr<const Dataset> gone = data;
  data.reset();
  EXPECT_TRUE(gone.expired());
}

TEST(Dataset, CancelledRendererIsBuiltAgain) {
  std::stop_source source;
  source.request_stop();
  const auto data = Dataset::create(test::image_of({8, 8, 8}, test::rough));
  const auto cancelled = data->raycaster(JobContext(source.get_token()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
  EXPECT_TRUE(data->raycaster().ok());
}

TEST(Dataset, ProbeFindsValueLevelAndSide) {
  const auto data = Dataset::create(test::two_level_apr(8, test::rough));
  const auto fine = data->probe({1, 2, 3});
  EXPECT_EQ(fine.level, 3);
  EXPECT_EQ(fine.cell_side, 1);
  EXPECT_EQ(fine.value, static_cast<float>(test::rough(1, 2, 3)));
  const auto coarse = data->probe({5, 2, 7});
  EXPECT_EQ(coarse.level, 2);
  EXPECT_EQ(coarse.cell_side, 2);
  EXPECT_EQ(coarse.value, static_cast<float>(test::rough(2, 1, 3)));
  const auto pixel = Dataset::create(test::image_of({4, 4, 4}, test::rough))->probe({3, 2, 1});
  EXPECT_EQ(pixel.value, static_cast<float>(test::rough(3, 2, 1)));
  EXPECT_EQ(pixel.cell_side, 1);
}

TEST(Dataset, SliceShowsTheCellsItCuts) {
  const auto data = Dataset::create(test::two_level_apr(8, test::rough));
  const Plane plane = data->slice(ReconstructionMode::constant, Axis::z, 5);
  ASSERT_EQ(plane.rows, 8);
  ASSERT_EQ(plane.cols, 8);
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 8; ++y) {
      EXPECT_EQ(plane.values[static_cast<std::size_t>(8 * x + y)],
                static_cast<float>(test::rough(2, x / 2, y / 2)));
    }
  }
}

}  // namespace
}  // namespace aprscope
