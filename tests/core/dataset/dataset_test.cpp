#include "core/dataset/dataset.hpp"

#include <cmath>
#include <thread>

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

TEST(Dataset, SharesValuesThatAreFloatsAlready) {
  const auto pixels = Dataset::create(test::image_of({4, 4, 4}, test::rough));
  const auto& own = std::get<Pixels<float>>(pixels->volume().pixels);
  EXPECT_EQ(pixels->pixels_f32().values.data(), own.values.data());
  const auto apr = Dataset::create(test::uniform_apr({4, 4, 4}, 2, test::rough));
  const auto& field = std::get<std::vector<float>>(apr->apr().main_field()->values);
  EXPECT_EQ(apr->particle_values().data(), field.data());
  EXPECT_EQ(apr->bytes(), apr->apr().bytes());
}

TEST(Dataset, ConvertsIntegersOnce) {
  Volume image;
  Pixels<std::uint16_t> counts({2, 2, 2}, 7);
  counts.values[5] = 65535;
  image.pixels = counts;
  const auto data = Dataset::create(image);
  const std::uint64_t before = data->bytes();
  const Pixels<float>& pixels = data->pixels_f32();
  EXPECT_EQ(pixels.values[5], 65535.0F);
  EXPECT_EQ(pixels.values[0], 7.0F);
  EXPECT_EQ(&pixels, &data->pixels_f32());
  EXPECT_EQ(data->bytes(), before + 8 * sizeof(float));
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
  EXPECT_EQ(labelled->particle_values().data(), apr->particle_values().data());
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

TEST(Dataset, TreeHoldsMeansOfTheParticles) {
  // 8 fine cells make one interior cell of level 0 here: their mean.
  const auto data = Dataset::create(test::uniform_apr(
      {2, 2, 2}, 1, [](auto z, auto x, auto y) { return static_cast<double>(4 * z + 2 * x + y); }));
  ASSERT_EQ(data->tree_mean().size(), 1U);
  EXPECT_FLOAT_EQ(data->tree_mean()[0], 3.5F);
}

TEST(Dataset, AFirstFilterLeavesTheMeansOfTheTreeAndTheResultIsThatOfALaterOne) {
  const auto make = [] { return Dataset::create(test::two_level_apr(16, test::rough)); };
  const auto fresh = make();
  const auto known = make();
  const std::vector<float> means = known->tree_mean();
  ASSERT_FALSE(fresh->has_tree_mean());
  const Operation gaussian = *complete({"gaussian", {}});
  const auto first = cpu_backend()->run(gaussian, *fresh, {});
  const auto later = cpu_backend()->run(gaussian, *known, {});
  ASSERT_TRUE(first.ok() && later.ok());
  EXPECT_EQ(Dataset::create(*first)->particle_values(), Dataset::create(*later)->particle_values());
  ASSERT_TRUE(fresh->has_tree_mean());
  EXPECT_EQ(fresh->tree_mean(), means);
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

TEST(Dataset, CountsValuesThatAreNotFinite) {
  const auto image = Dataset::create(test::image_of({4, 4, 4}, [](auto z, auto x, auto y) {
    return (z == 2 && x == 1 && y == 3) || z == 3 ? INFINITY : 1.0;
  }));
  EXPECT_EQ(image->non_finite().count, 17U);
  EXPECT_EQ(image->non_finite().first, (Index3{2, 1, 3}));
  // In an APR the order of particles is coarse to fine; the cell starts at twice its index.
  const auto apr = Dataset::create(test::two_level_apr(
      8, [](auto z, auto x, auto y) { return z == 3 && x == 1 && y == 2 ? NAN : 1.0; }));
  EXPECT_EQ(apr->non_finite().count, 2U);
  EXPECT_EQ(apr->non_finite().first, (Index3{6, 2, 4}));
  EXPECT_EQ(Dataset::create(test::two_level_apr(8, test::rough))->non_finite().count, 0U);
}

TEST(Dataset, ManyThreadsGetTheSameDerivedData) {
  const auto data = Dataset::create(test::two_level_apr(16, test::rough));
  std::vector<const void*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (auto& slot : seen) {
      threads.emplace_back([&slot, &data] {
        slot = data->tree_mean().data();
        (void)data->bytes();
        (void)data->non_finite();
      });
    }
  }
  for (const void* pointer : seen) EXPECT_EQ(pointer, seen.front());
}

}  // namespace
}  // namespace aprscope
