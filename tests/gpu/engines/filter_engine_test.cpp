#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "gpu/engines/devices.hpp"
#include "tests/core/filter/naive.hpp"
#include "tests/support/sanitized.hpp"

// One body for every back end: filters on pixel images, and images of one level of an APR.
namespace aprscope {
namespace {

class BackendPixels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }

  // Pixels are the particles of an APR in which every pixel is one.
  static std::shared_ptr<const Dataset> image_of(const test::Sample& s) {
    Volume volume;
    Pixels<float> pixels;
    pixels.size = s.access->size();
    pixels.values = s.values;
    volume.pixels = std::move(pixels);
    volume.voxel = {2.0, 0.5, 0.25, "µm"};
    volume.name = "image";
    return Dataset::create(std::move(volume));
  }
  [[nodiscard]] std::vector<float> run(const test::Sample& s, const Operation& operation) const {
    const auto result = backend_->run(operation, *image_of(s), {});
    EXPECT_TRUE(result.ok()) << result.error().message();
    if (!result) return {};
    const auto& volume = std::get<Volume>(*result);
    EXPECT_EQ(volume.name, "image");
    EXPECT_EQ(volume.voxel.z, 2.0);
    EXPECT_EQ(volume.size(), s.access->size());
    return std::get<Pixels<float>>(volume.pixels).values;
  }

  std::shared_ptr<const Backend> backend_;
};

void expect_close(const std::vector<float>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], 1e-5 * std::max(std::abs(expected[i]), 50.0)) << i;
  }
}

const std::vector<Size3>& sizes() {
  static const std::vector<Size3> all{
      {18, 19, 35}, {1, 40, 70}, {33, 5, 9}, {1, 1, 77}, {40, 3, 300}};
  return all;
}

TEST_P(BackendPixels, ConvolutionEqualsBruteForce) {
  test::SanitizedShare share(5);
  for (const Size3& size : sizes()) {
    const test::Sample s(test::full_access(size));
    for (const Stencil& stencil :
         {test::counting_stencil({3, 3, 3}), test::counting_stencil({5, 5, 5}),
          test::counting_stencil({1, 3, 5}), test::counting_stencil({7, 9, 3}),
          gaussian_stencil({2, 2, 2}, {13, 13, 13}), gaussian_stencil({0, 4, 1}),
          test::counting_stencil({3, 3, 41})}) {
      for (const char* boundary : {"reflect", "zero"}) {
        if (!share.takes()) continue;
        SCOPED_TRACE(testing::Message()
                     << size.z << " x " << size.x << " x " << size.y << ", " << stencil.size.z
                     << " x " << stencil.size.x << " x " << stencil.size.y << " " << boundary);
        const auto pyramid =
            StencilPyramid::create(stencil, StencilMode::same, false, s.access->level_max());
        const auto expected =
            test::naive_filter(*s.access, s.values, s.tree,
                               boundary == std::string("zero") ? Boundary::zero : Boundary::reflect,
                               test::naive_correlation(*pyramid));
        expect_close(run(s, {"custom",
                             {{"stencil", stencil},
                              {"mode", std::string("same")},
                              {"boundary", std::string(boundary)},
                              {"normalize", false}}}),
                     expected);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
    }
  }
}

TEST_P(BackendPixels, StatisticsAndGradientsEqualBruteForce) {
  const test::Sample s(test::full_access({18, 19, 35}));
  using List = std::vector<double>;
  const std::pair<const char*, std::function<double(List)>> statistics[] = {
      {"mean",
       [](const List& v) {
         return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
       }},
      {"median",
       [](List v) {
         std::sort(v.begin(), v.end());
         return v[v.size() / 2];
       }},
      {"min", [](const List& v) { return *std::min_element(v.begin(), v.end()); }},
      {"max", [](const List& v) { return *std::max_element(v.begin(), v.end()); }}};
  for (const auto& [name, value] : statistics) {
    for (const Size3 size : {Size3{3, 3, 3}, Size3{1, 5, 3}}) {
      const test::NaiveFilter naive{[n = size](int) { return n; },
                                    [f = value](int, const List& v) { return f(v); }};
      expect_close(
          run(s, {name,
                  {{"size", std::array<double, 3>{double(size.z), double(size.x), double(size.y)}},
                   {"boundary", std::string("reflect")}}}),
          test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect, naive));
    }
  }
  std::vector<double> squares(s.values.size());
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const auto pyramid = StencilPyramid::create(sobel_stencil(axis), StencilMode::rescaled, false,
                                                s.access->level_max());
    const auto g = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                      test::naive_correlation(*pyramid));
    for (std::size_t i = 0; i < g.size(); ++i) squares[i] += g[i] * g[i];
  }
  for (double& v : squares) v = std::sqrt(v);
  expect_close(run(s, {"gradient", {{"kind", std::string("sobel")}}}), squares);
}

TEST_P(BackendPixels, ARegionAgreesWithTheWholeAndTouchesNothingElse) {
  const test::Sample s(test::full_access({18, 19, 35}));
  const Operation operation{"gaussian", {}};
  const auto full = run(s, operation);
  const Region region{{7, 2, 3}, {9, 19, 30}};
  std::vector<float> part(s.values.size(), -77.0F);
  ASSERT_TRUE(backend_->run_region(operation, *image_of(s), region, part, {}).ok());
  std::size_t i = 0;
  for (std::int64_t z = 0; z < 18; ++z) {
    for (std::int64_t x = 0; x < 19; ++x) {
      for (std::int64_t y = 0; y < 35; ++y, ++i) {
        const bool inside = z >= 7 && z < 9 && x >= 2 && y >= 3 && y < 30;
        ASSERT_EQ(part[i], inside ? full[i] : -77.0F) << z << " " << x << " " << y;
      }
    }
  }
}

TEST_P(BackendPixels, ImagesOfOneLevelEqualLookUps) {
  for (const auto& access : {test::random_access({{40, 50, 70}, 3, 0.7, true}),
                             test::random_access({{33, 17, 49}, 4, 0.6, false})}) {
    const test::Sample s(access);
    Apr apr;
    apr.access = access;
    apr.voxel = {2.0, 0.5, 0.25, "µm"};
    apr.fields = {std::make_shared<const Field>(Field{"particles", s.values})};
    const auto data = Dataset::create(std::move(apr));
    const std::vector<float> tree(s.tree.begin(), s.tree.end());
    for (int level = 1; level <= access->level_max(); ++level) {
      const auto result = backend_->run(
          {"reconstruct", {{"at_level", static_cast<std::int64_t>(level)}}}, *data, {});
      ASSERT_TRUE(result.ok()) << result.error().message();
      const auto& volume = std::get<Volume>(*result);
      const Pixels<float> expected = test::naive_at_level(*access, s.values, tree, level);
      const auto& got = std::get<Pixels<float>>(volume.pixels);
      ASSERT_EQ(got.size, expected.size);
      EXPECT_EQ(volume.voxel.z, 2.0 * std::exp2(access->level_max() - level));
      for (std::size_t i = 0; i < got.values.size(); ++i) {
        ASSERT_NEAR(got.values[i], expected.values[i], 1e-5F * (1.0F + expected.values[i])) << i;
      }
    }
    const auto beyond = backend_->run(
        {"reconstruct", {{"at_level", static_cast<std::int64_t>(access->level_max() + 1)}}}, *data,
        {});
    EXPECT_FALSE(beyond.ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendPixels, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope
