// The operation on particles beside the same on the pixels that they stand for.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/segment/segments.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Result<Labels> labels_of(const Operation& asked, const Data& data) {
  const OperationType type = watershed_operation();
  const auto op = complete(asked);
  EXPECT_TRUE(op.ok());
  const auto input = Dataset::create(data);
  const auto prepared = type.labels.prepare(*op, *input, {});
  if (!prepared) return prepared.error();
  return type.labels.label(*op, *input, prepared->get(), {});
}

// Two by two by two rooms with bright walls; floors rise from their middles.
Volume rooms(std::int64_t side) {
  const std::int64_t n = 2 * side;
  Pixels<std::uint16_t> image({n, n, n});
  for (std::int64_t i = 0; i < n * n * n; ++i) {
    std::int64_t far = 0;
    std::int64_t wall = side;
    for (const std::int64_t at : {i / (n * n), i / n % n, i % n}) {
      far += std::abs(2 * (at % side) + 1 - side);
      wall = std::min({wall, at % side, side - 1 - at % side});
    }
    image.values[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>((wall == 0 ? 3000 : 200) + far);
  }
  Volume out;
  out.pixels = std::move(image);
  return out;
}

TEST(ParticleWatershed, FindsTheCellsOfThePixels) {
  ConversionParameters parameters;
  parameters.lambda = 0.0F;
  const auto apr = convert(rooms(20), parameters);
  ASSERT_TRUE(apr.ok());
  EXPECT_GT(apr->access->computational_ratio(), 1.2);
  Volume pixels;
  pixels.pixels = test::naive_reconstruct(*apr->access, apr->main_field()->to_float());
  for (const double depth : {500.0, 0.0}) {
    const Operation op{"watershed", {{"depth", depth}, {"smooth", 0.0}, {"merge", 800.0}}};
    const auto native = labels_of(op, *apr);
    const auto expected = labels_of(op, pixels);
    ASSERT_TRUE(native.ok() && expected.ok());
    EXPECT_EQ(native->largest, 8U);
    EXPECT_EQ(expected->largest, 8U);
    const auto map = test::particle_map(*apr->access);
    std::size_t same = 0;
    for (std::size_t i = 0; i < expected->values.size(); ++i) {
      same += native->values[map.index.values[i]] == expected->values[i] ? 1 : 0;
    }
    EXPECT_GE(static_cast<double>(same) / static_cast<double>(expected->values.size()), 0.99);
  }
}

TEST(ParticleWatershed, FloodsFromSeeds) {
  ConversionParameters parameters;
  parameters.lambda = 0.0F;
  const auto apr = convert(rooms(20), parameters);
  ASSERT_TRUE(apr.ok());
  const Operation op{"watershed", {{"seeds", std::string("10,10,10; 30,30,30")}, {"smooth", 0.0}}};
  const auto labels = labels_of(op, *apr);
  ASSERT_TRUE(labels.ok());
  EXPECT_EQ(labels->largest, 2U);
  EXPECT_EQ(labels->values[apr->access->find({11, 11, 11}).index], 1U);
  EXPECT_EQ(labels->values[apr->access->find({29, 29, 29}).index], 2U);
}

TEST(ParticleWatershed, DropsCellsAtTheBorder) {
  const auto apr = convert(rooms(20), {});
  ASSERT_TRUE(apr.ok());
  const Operation op{"watershed",
                     {{"depth", 500.0}, {"smooth", 0.0}, {"merge", 0.0}, {"drop_border", true}}};
  const auto labels = labels_of(op, *apr);
  ASSERT_TRUE(labels.ok());
  EXPECT_EQ(labels->largest, 0U);
}

TEST(ParticleWatershed, SaysThatParticlesHaveNoDistance) {
  const Apr apr = test::random_apr({});
  const auto labels = labels_of({"watershed", {{"signal", std::string("distance")}}}, apr);
  ASSERT_FALSE(labels.ok());
  EXPECT_NE(labels.error().message().find("reconstruct"), std::string::npos);
}

TEST(ParticleWatershed, SaysThatItDoesNotSmoothParticles) {
  const Apr apr = test::random_apr({});
  const auto labels = labels_of({"watershed", {{"smooth", 2.0}}}, apr);
  ASSERT_FALSE(labels.ok());
  EXPECT_NE(labels.error().message().find("gaussian"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
