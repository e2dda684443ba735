// Labels go with data from pixels to particles and back.
#include "core/cells/carried_labels.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "core/dataset/dataset.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/particles/particles.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Result<Data> run(const OperationType& type, Operation asked, Data input) {
  const auto op = complete(asked);
  EXPECT_TRUE(op.ok());
  return type.cpu.run(*op, *Dataset::create(std::move(input)), {}, {});
}

Apr labelled() {
  Apr apr = test::random_apr({{18, 22, 30}, 3, 0.6, true});
  Labels labels;
  for (std::uint64_t i = 0; i < apr.access->count(); ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(i % 5));
  }
  labels.largest = 4;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  return apr;
}

TEST(Reconstruct, CarriesLabelsToPixelsOfFullResolution) {
  const Apr apr = labelled();
  const auto expected = pixel_labels(*apr.access, *apr.labels);
  for (const char* mode : {"constant", "smooth", "level"}) {
    const auto made =
        run(reconstruct_operation(), {"reconstruct", {{"mode", std::string(mode)}}}, apr);
    ASSERT_TRUE(made.ok());
    ASSERT_NE(std::get<Volume>(*made).labels, nullptr);
    EXPECT_EQ(*std::get<Volume>(*made).labels, *expected);
  }
  const auto small =
      run(reconstruct_operation(), {"reconstruct", {{"at_level", std::int64_t{2}}}}, apr);
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(std::get<Volume>(*small).labels, nullptr);
}

TEST(Convert, CarriesLabelsToParticles) {
  Volume image;
  Pixels<std::uint16_t> pixels({12, 20, 24});
  Labels labels;
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    const bool bright = i / 24 % 20 > 9;
    pixels.values[i] = bright ? 900 : 100;
    labels.values.push_back(bright ? 2 : 1);
  }
  labels.largest = 2;
  image.pixels = std::move(pixels);
  image.labels = std::make_shared<const Labels>(labels);
  const auto made = run(convert_operation(), {"convert", {}}, image);
  ASSERT_TRUE(made.ok());
  const Apr& apr = std::get<Apr>(*made);
  ASSERT_NE(apr.labels, nullptr);
  EXPECT_EQ(*apr.labels, *particle_labels(*apr.access, labels));
  EXPECT_EQ(apr.labels->largest, 2U);
}

TEST(WithField, KeepsLabels) {
  const Apr apr = labelled();
  const Data out = with_field(apr, std::vector<float>(apr.access->count()), "step");
  EXPECT_EQ(std::get<Apr>(out).labels, apr.labels);
}

}  // namespace
}  // namespace aprscope
