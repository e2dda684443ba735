#include "core/operations/filter/stencil_spec.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/filter/stencil_file.hpp"
#include "core/operations/schema/operation.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

Operation parsed(const std::string& spec) {
  auto operation = parse_stencil_spec(spec);
  EXPECT_TRUE(operation.ok()) << spec << " → " << operation.error().message();
  return operation ? *operation : Operation{};
}

TEST(StencilSpec, ReadsTheFormsOfTheManual) {
  const Operation gaussian = parsed("gaussian:sigma=2,size=13");
  EXPECT_EQ(gaussian.id, "gaussian");
  EXPECT_EQ(parameter<Vector>(gaussian, "sigma"), (Vector{2, 2, 2}));
  EXPECT_EQ(parameter<Vector>(gaussian, "size"), (Vector{13, 13, 13}));
  const Operation sobel = parsed("sobel:axis=x");
  EXPECT_EQ(sobel.id, "gradient");
  EXPECT_EQ(parameter<std::string>(sobel, "kind"), "sobel");
  EXPECT_EQ(parameter<std::string>(sobel, "component"), "x");
  EXPECT_EQ(parameter<Vector>(parsed("box:size=5"), "size"), (Vector{5, 5, 5}));
  EXPECT_EQ(parsed("laplacian").id, "laplacian");
  EXPECT_EQ(parameter<Vector>(parsed("log:sigma=2"), "sigma"), (Vector{2, 2, 2}));
  EXPECT_EQ(parameter<std::string>(parsed("gradient"), "component"), "magnitude");
  EXPECT_EQ(parsed("std:size=5").id, "standard_deviation");
  EXPECT_EQ(parsed("median").id, "median");
}

TEST(StencilSpec, ReadsVectorsUnitsAndModes) {
  const Operation op =
      parsed("gaussian:sigma=0.5,1,1.5,size=3x5x7,unit=physical,mode=same,normalize=off");
  EXPECT_EQ(parameter<Vector>(op, "sigma"), (Vector{0.5, 1, 1.5}));
  EXPECT_EQ(parameter<Vector>(op, "size"), (Vector{3, 5, 7}));
  EXPECT_EQ(parameter<std::string>(op, "sigma_unit"), "physical");
  EXPECT_EQ(parameter<std::string>(op, "mode"), "same");
  EXPECT_FALSE(parameter<bool>(op, "normalize"));
}

struct Wrong {
  const char* spec;
  const char* offence;
};
class StencilSpecErrors : public ::testing::TestWithParam<Wrong> {};

TEST_P(StencilSpecErrors, NameTheOffendingPart) {
  const auto [spec, offence] = GetParam();
  const auto operation = parse_stencil_spec(spec);
  ASSERT_FALSE(operation.ok()) << spec;
  EXPECT_NE(operation.error().message().find(offence), std::string::npos)
      << operation.error().message();
}

INSTANTIATE_TEST_SUITE_P(
    All, StencilSpecErrors,
    ::testing::Values(Wrong{"", "not a filter"}, Wrong{"blur", "blur"}, Wrong{"convert", "convert"},
                      Wrong{"gaussian:sigma=two", "two"}, Wrong{"gaussian:sigma", "sigma"},
                      Wrong{"gaussian:radius=2", "radius"}, Wrong{"gaussian:size=4", "odd"},
                      Wrong{"gaussian:", "name=value"}, Wrong{"gaussian:sigma=-1", "-1"},
                      Wrong{"sobel:axis=w", "\"w\""}, Wrong{"box:size=5,", "name=value"},
                      Wrong{"box:size=1,2", "1,2"}, Wrong{"box:=5", "=5"},
                      Wrong{"file:", "no file"}, Wrong{"file:/nowhere/w.json", "/nowhere/w.json"}));

class StencilFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    EXPECT_TRUE(write_text_atomically(path, text).ok());
    return path.string();
  }
  std::string write_image(const std::string& name, const Volume& volume) {
    const auto path = folder_ / name;
    EXPECT_TRUE(write_tiff(volume, path).ok());
    return path.string();
  }
  test::TemporaryFolder folder_;
};

TEST_F(StencilFile, JsonIsTakenAsItStands) {
  const auto path = write("w.json", R"({"size": [1, 1, 3], "weights": [-1, 0, 1.5]})");
  const Operation op = parsed("file:" + path);
  EXPECT_EQ(op.id, "custom");
  const auto& stencil = parameter<Stencil>(op, "stencil");
  EXPECT_EQ(stencil.size, (Size3{1, 1, 3}));
  EXPECT_EQ(stencil.weights, (std::vector<double>{-1, 0, 1.5}));
  EXPECT_FALSE(parameter<bool>(op, "normalize"));
}

TEST_F(StencilFile, JsonRoundTrip) {
  const Stencil stencil{{3, 1, 1}, {0.1, 1.0 / 3.0, -2e-17}, "mine"};
  const auto back = stencil_from_json(stencil_to_json(stencil), "test");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, stencil);
}

TEST_F(StencilFile, BadJsonIsExplained) {
  for (const char* text :
       {"", "{", "[]", "{\"size\": [1,1,3]}", R"({"size": [1,1,3], "weights": [1,2]})",
        R"({"size": [1,1,2], "weights": [1,2]})", R"({"size": [1,3], "weights": [1,2,3]})",
        R"({"size": [1,1,3], "weights": [1,"a",3]})", R"({"size": [1,1,-1], "weights": []})",
        R"({"size": [3037000501,3037000501,3], "weights": [1]})"}) {
    const auto path = write("bad.json", text);
    const auto stencil = load_stencil(path);
    ASSERT_FALSE(stencil.ok()) << text;
    EXPECT_NE(stencil.error().message().find("bad.json"), std::string::npos);
  }
}

TEST_F(StencilFile, ImageBecomesANormalizedStencil) {
  const auto path = write_image(
      "psf.tif", test::image_of({3, 3, 5}, [](auto z, auto x, auto y) {
        return z == 1 && x == 1 && y == 2 ? 6.0 : (z == 0 && x == 0 && y == 0 ? 2.0 : 0.0);
      }));
  const auto stencil = load_stencil(path);
  ASSERT_TRUE(stencil.ok()) << stencil.error().message();
  EXPECT_EQ(stencil->size, (Size3{3, 3, 5}));
  EXPECT_NEAR(stencil->weights[22], 0.75, 1e-12);
  EXPECT_NEAR(stencil->weights[0], 0.25, 1e-12);
  EXPECT_NEAR(stencil->sum(), 1.0, 1e-12);
}

TEST_F(StencilFile, UnsuitableImagesAreExplained) {
  const auto even = load_stencil(
      write_image("even.tif", test::image_of({3, 4, 5}, [](auto, auto, auto) { return 1.0; })));
  ASSERT_FALSE(even.ok());
  EXPECT_NE(even.error().message().find("3x4x5"), std::string::npos);
  EXPECT_NE(even.error().message().find("odd"), std::string::npos);
  const auto empty = load_stencil(
      write_image("zero.tif", test::image_of({3, 3, 3}, [](auto, auto, auto) { return 0.0; })));
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message().find("sum"), std::string::npos);
  const auto nan = load_stencil(write_image(
      "nan.tif", test::image_of({3, 3, 3}, [](auto, auto, auto y) { return y == 0 ? NAN : 1.0; })));
  ASSERT_FALSE(nan.ok());
  EXPECT_NE(nan.error().message().find("holds 9 values that are not finite"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
