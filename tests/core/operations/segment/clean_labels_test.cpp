// Cleaning up as a step, in its two halves.
#include <gtest/gtest.h>

#include "core/operations/registry.hpp"
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
