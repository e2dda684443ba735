// Filling and labelling particles beside the same on the pixels that they stand for.
#include <gtest/gtest.h>

#include "core/cells/carried_labels.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/segment/segments.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Result<Labels> labels_of(const OperationType& type, const Operation& asked, const Data& data) {
  const auto op = complete(asked);
  EXPECT_TRUE(op.ok());
  const auto input = Dataset::create(data);
  const auto prepared = type.labels.prepare(*op, *input, {});
  if (!prepared) return prepared.error();
  return type.labels.label(*op, *input, prepared->get(), {});
}

// Particles of whole values below so many, and their pixels.
struct Both {
  Apr apr;
  Volume pixels;

  Both(const Size3& size, std::uint64_t seed, float below) {
    apr = test::random_apr({size, seed, 0.6, seed % 2 == 0});
    apr.fields = {std::make_shared<const Field>(
        Field{"particles", test::random_values(apr.access->count(), seed, 0.0F, below, true)})};
    apr.voxel = {2.0, 0.5, 0.5, "µm"};
    pixels.pixels = test::naive_reconstruct(*apr.access, apr.main_field()->to_float());
    pixels.voxel = apr.voxel;
  }

  void expect_same(const OperationType& type, const Operation& op) const {
    const auto native = labels_of(type, op, apr);
    const auto expected = labels_of(type, op, pixels);
    ASSERT_EQ(native.ok(), expected.ok()) << describe(op);
    if (!native.ok()) return;
    const auto painted = pixel_labels(*apr.access, *native);
    ASSERT_TRUE(painted.ok());
    EXPECT_EQ(painted->largest, expected->largest) << describe(op);
    EXPECT_EQ(painted->values, expected->values) << describe(op);
    // Pixels are needed to see whether one leaks, which is said.
    if (op.id != "fill_exterior") return;
    EXPECT_EQ(native->findings.size(), native->largest);
    for (const LabelFinding& one : native->findings) EXPECT_TRUE(one.unchecked);
  }
};

TEST(FillExteriorOfParticles, GivesTheLabelsOfThePixels) {
  for (const Size3 size : {Size3{15, 18, 21}, Size3{1, 40, 37}}) {
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
      const Both both(size, seed, 10.0F);
      for (const char* connectivity : {"6", "26"}) {
        for (const bool lumens : {false, true}) {
          for (const char* membrane : {"inside", "outside"}) {
            if (lumens && std::string(membrane) == "inside") continue;
            for (const double volume : {0.0, 3.0}) {
              both.expect_same(fill_exterior_operation(),
                               {"fill_exterior",
                                {{"method", std::string("value")},
                                 {"value", 4.0},
                                 {"connectivity", std::string(connectivity)},
                                 {"lumens", lumens},
                                 {"membrane", std::string(membrane)},
                                 {"min_volume", volume}}});
            }
          }
        }
      }
    }
  }
}

TEST(FillExteriorOfParticles, SaysWhatTakesPixels) {
  const Both both({9, 10, 11}, 3, 10.0F);
  const auto refused = [&](Operation op, const std::string& words) {
    op.parameters["method"] = std::string("value");
    op.parameters["value"] = 4.0;
    const auto labels = labels_of(fill_exterior_operation(), op, both.apr);
    ASSERT_FALSE(labels.ok());
    EXPECT_NE(labels.error().message().find(words), std::string::npos);
  };
  refused({"fill_exterior", {{"close", 1.0}}}, "closing holes takes pixels");
  refused({"fill_exterior", {{"per_slice", true}}}, "slice by slice takes pixels");
  refused({"fill_exterior", {{"membrane", std::string("half")}}}, "takes pixels");
  refused({"fill_exterior", {{"lumens", true}}}, "takes pixels");
}

TEST(LabelOfParticles, GivesTheLabelsOfThePixels) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const Both both({14, 19, 23}, seed, 3.0F);
    for (const char* connectivity : {"6", "18", "26"}) {
      for (const double volume : {0.0, 4.0}) {
        both.expect_same(
            label_operation(),
            {"label", {{"connectivity", std::string(connectivity)}, {"min_volume", volume}}});
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
