// Cleaning up as a step, in its two halves.
#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Dataset> tissue_data() {
  const auto p = test::tissue({8, 20, 20}, 30, 4);
  Volume volume;
  volume.name = "image";
  volume.pixels = Pixels<std::uint8_t>(p.size, 3);
  volume.labels = std::make_shared<const Labels>(test::labels_of(p));
  return Dataset::create(std::move(volume));
}

TEST(CleanLabels, NumbersWhatIsKeptFromOneOn) {
  const auto input = tissue_data();
  const auto got = cpu_backend()->run({"clean_labels", {{"min_volume", 100.0}}}, *input, {});
  ASSERT_TRUE(got.ok()) << got.error().message();
  const Labels& labels = *std::get<Volume>(*got).labels;
  EXPECT_GT(labels.largest, 2U);
  EXPECT_LT(labels.largest, 30U);
  for (std::uint32_t l = 1; l <= labels.largest; ++l) {
    EXPECT_GE(std::count(labels.values.begin(), labels.values.end(), l), 100);
  }
}

TEST(CleanLabels, OfASliceMeasuresAreasAsLabellingDoes) {
  Volume volume;
  Pixels<std::uint8_t> pixels(Size3{1, 6, 20}, 0);
  for (std::int64_t y = 0; y < 3; ++y) pixels.at(0, 1, 2 + y) = 1;
  for (std::int64_t y = 0; y < 4; ++y) pixels.at(0, 4, 2 + y) = 1;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  const auto largest = [](const Result<Data>& got) {
    EXPECT_TRUE(got.ok()) << got.error().message();
    return got ? std::get<Volume>(*got).labels->largest : 0;
  };
  const auto input = Dataset::create(volume);
  // Four pixels are 1 µm².
  EXPECT_EQ(largest(cpu_backend()->run({"label", {{"min_volume", 1.0}}}, *input, {})), 1U);
  const auto all = cpu_backend()->run({"label", {}}, *input, {});
  EXPECT_EQ(largest(all), 2U);
  const auto labelled = Dataset::create(std::get<Volume>(*all));
  EXPECT_EQ(largest(cpu_backend()->run({"clean_labels", {{"min_volume", 1.0}}}, *labelled, {})),
            1U);
}

TEST(CleanLabels, TheDearHalfServesAllQuickParameters) {
  const auto input = tissue_data();
  const OperationType& type = *operations().find("clean_labels");
  const auto first = complete({"clean_labels", {{"smooth", std::int64_t{2}}}});
  const auto prepared = type.labels.prepare(*first, *input, {});
  ASSERT_TRUE(prepared.ok());
  EXPECT_GT((*prepared)->bytes(), 0U);
  for (const bool border : {false, true}) {
    const auto edited = complete({"clean_labels",
                                  {{"smooth", std::int64_t{2}},
                                   {"min_volume", 50.0},
                                   {"drop_border", border},
                                   {"fill_holes", true}}});
    const auto quick = type.labels.label(*edited, *input, prepared->get(), {});
    const auto whole = cpu_backend()->run(*edited, *input, {});
    ASSERT_TRUE(quick.ok() && whole.ok());
    EXPECT_EQ(*quick, *std::get<Volume>(*whole).labels);
  }
}

}  // namespace
}  // namespace aprscope
