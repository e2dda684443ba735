#include <numeric>

#include <gtest/gtest.h>

#include "gpu/engines/devices.hpp"
#include "tests/core/filter/naive.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/toy_operation.hpp"

// One body for every back end: each filter against its definition in double precision.
namespace aprscope {
namespace {

using Values = std::vector<float>;

// Absolute where results cancel: `scale` is the size of the input.
void expect_close(const Values& got, const std::vector<double>& expected, double scale = 1000.0,
                  double tolerance = 1e-5) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance * std::max(std::abs(expected[i]), 0.05 * scale))
        << i;
  }
}

class BackendParity : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }

  [[nodiscard]] Values run(const test::Sample& s, const Operation& operation) const {
    const auto result = backend_->run(operation, *dataset(s), {});
    EXPECT_TRUE(result.ok()) << result.error().message();
    if (!result) return {};
    const auto& apr = std::get<Apr>(*result);
    EXPECT_NE(apr.history.back().find("[" + std::string(GetParam()) + "]"), std::string::npos);
    return std::get<Values>(apr.main_field()->values);
  }

  static std::shared_ptr<const Dataset> dataset(const test::Sample& s) {
    Apr apr;
    apr.access = s.access;
    apr.fields = {std::make_shared<const Field>(Field{"particles", s.values})};
    return Dataset::create(std::move(apr));
  }

  static Operation custom(const Stencil& stencil, const char* mode, const char* boundary) {
    return {"custom",
            {{"stencil", stencil},
             {"mode", std::string(mode)},
             {"boundary", std::string(boundary)},
             {"normalize", false}}};
  }

  std::shared_ptr<const Backend> backend_;
};

StencilMode mode_of(const std::string& name) {
  if (name == "restricted") return StencilMode::restricted;
  return name == "rescaled" ? StencilMode::rescaled : StencilMode::same;
}

void expect_naive(const test::Sample& s, const Stencil& stencil, const std::string& mode,
                  Boundary boundary, const Values& got) {
  const auto pyramid = StencilPyramid::create(stencil, mode_of(mode), false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  expect_close(got, test::naive_filter(*s.access, s.values, s.tree, boundary,
                                       test::naive_correlation(*pyramid)));
}

// Odd sizes, flat and thin images, seams that differ by several levels, every pixel a particle.
std::vector<std::shared_ptr<const AprAccess>> structures() {
  return {test::random_access({{40, 50, 70}, 3, 0.7, true}),
          test::random_access({{33, 17, 49}, 4, 0.6, true}),
          test::random_access({{48, 32, 64}, 5, 0.45, false}),
          test::random_access({{1, 61, 90}, 6, 0.6, true}),
          test::random_access({{1, 1, 77}, 7, 0.6, true}),
          test::random_access({{5, 3, 2}, 8, 0.6, true}),
          test::full_access({18, 19, 35})};
}

TEST_P(BackendParity, ConvolutionOfEverySizeAndModeEqualsBruteForce) {
  const auto all = structures();
  test::SanitizedShare share(5);
  for (const Size3 size : {Size3{3, 3, 3}, Size3{5, 5, 5}, Size3{1, 3, 5}, Size3{5, 1, 3},
                           Size3{7, 7, 7}, Size3{3, 9, 5}, Size3{1, 1, 1}}) {
    const Stencil stencil = test::counting_stencil(size);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const test::Sample s(all[i]);
      for (const char* mode : {"same", "restricted", "rescaled"}) {
        for (const char* boundary : {"reflect", "zero"}) {
          if (!share.takes()) continue;
          SCOPED_TRACE(std::to_string(size.z) + "x" + std::to_string(size.x) + "x" +
                       std::to_string(size.y) + " " + mode + " " + boundary + " structure " +
                       std::to_string(i));
          expect_naive(s, stencil, mode,
                       boundary == std::string("zero") ? Boundary::zero : Boundary::reflect,
                       run(s, custom(stencil, mode, boundary)));
          if (HasFatalFailure() || HasNonfatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(BackendParity, WideStencilsDenseAndSeparableEqualBruteForce) {
  const test::Sample s(test::random_access({{21, 34, 45}, 14, 0.6, true}));
  const test::Sample thin(test::random_access({{3, 40, 2}, 15, 0.6, true}));
  for (const Stencil& stencil :
       {test::counting_stencil({13, 13, 13}), gaussian_stencil({2, 2, 2}, {13, 13, 13}),
        gaussian_stencil({1, 2, 3}), gaussian_stencil({0, 4, 1}),
        test::counting_stencil({3, 3, 41}), gaussian_stencil({0, 0, 7})}) {
    for (const char* mode : {"same", "restricted"}) {
      for (const char* boundary : {"reflect", "zero"}) {
        SCOPED_TRACE(std::to_string(stencil.size.z) + "x" + std::to_string(stencil.size.x) + "x" +
                     std::to_string(stencil.size.y) + " " + mode + " " + boundary);
        const Boundary where = boundary == std::string("zero") ? Boundary::zero : Boundary::reflect;
        expect_naive(s, stencil, mode, where, run(s, custom(stencil, mode, boundary)));
        expect_naive(thin, stencil, mode, where, run(thin, custom(stencil, mode, boundary)));
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
    }
  }
}

// Wide cubes of each size have kernels of their own; boxes of particles of all shapes.
TEST_P(BackendParity, CubesOfEverySizeEqualBruteForce) {
  const test::Sample samples[] = {
      test::Sample(test::random_access({{24, 50, 40}, 16, 0.6, true})),
      test::Sample(test::random_access({{37, 18, 33}, 17, 0.3, true})),
      test::Sample(test::random_access({{32, 32, 64}, 18, 0.75, false}))};
  test::SanitizedShare share(3);
  for (const std::int64_t n : {7, 9, 11, 13}) {
    for (const Stencil& stencil :
         {test::counting_stencil({n, n, n}), gaussian_stencil({2, 1.5, 2.5}, {n, n, n})}) {
      for (const char* boundary : {"reflect", "zero"}) {
        if (!share.takes()) continue;
        SCOPED_TRACE(stencil.name + " " + std::to_string(n) + " " + boundary);
        const Boundary where = boundary == std::string("zero") ? Boundary::zero : Boundary::reflect;
        for (const test::Sample& s : samples) {
          expect_naive(s, stencil, "same", where, run(s, custom(stencil, "same", boundary)));
        }
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
    }
  }
}

TEST_P(BackendParity, GradientsEqualBruteForce) {
  const test::Sample s(test::random_access({{26, 22, 40}, 19, 0.6, true}));
  std::vector<double> squares(s.values.size());
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const auto pyramid = StencilPyramid::create(sobel_stencil(axis), StencilMode::rescaled, false,
                                                s.access->level_max());
    const auto g = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                      test::naive_correlation(*pyramid));
    for (std::size_t i = 0; i < g.size(); ++i) squares[i] += g[i] * g[i];
    const char* const names[] = {"z", "x", "y"};
    expect_close(run(s, {"gradient",
                         {{"kind", std::string("sobel")},
                          {"component", std::string(names[static_cast<int>(axis)])}}}),
                 g);
  }
  for (double& v : squares) v = std::sqrt(v);
  expect_close(run(s, {"gradient", {{"kind", std::string("sobel")}}}), squares);
}

TEST_P(BackendParity, LocalStatisticsEqualBruteForce) {
  const test::Sample s(test::random_access({{14, 21, 37}, 17, 0.6, true}));
  using List = std::vector<double>;
  const auto mean = [](const List& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  };
  const std::pair<const char*, std::function<double(List)>> statistics[] = {
      {"mean", mean},
      {"standard_deviation",
       [&](const List& v) {
         const double m = mean(v);
         double squares = 0.0;
         for (const double x : v) squares += (x - m) * (x - m);
         return std::sqrt(squares / static_cast<double>(v.size()));
       }},
      {"median",
       [](List v) {
         std::sort(v.begin(), v.end());
         return v[v.size() / 2];
       }},
      {"min", [](const List& v) { return *std::min_element(v.begin(), v.end()); }},
      {"max", [](const List& v) { return *std::max_element(v.begin(), v.end()); }}};
  for (const auto& [name, value] : statistics) {
    for (const Size3 size : {Size3{3, 3, 3}, Size3{1, 5, 3}, Size3{7, 7, 7}, Size3{1, 1, 63}}) {
      for (const char* boundary : {"reflect", "zero"}) {
        SCOPED_TRACE(std::string(name) + " " + boundary + " " + std::to_string(size.y));
        const Boundary beyond =
            boundary == std::string("zero") ? Boundary::zero : Boundary::reflect;
        const Operation operation{
            name,
            {{"size", std::array<double, 3>{double(size.z), double(size.x), double(size.y)}},
             {"boundary", std::string(boundary)}}};
        test::NaiveFilter naive{[n = size](int) { return n; },
                                [f = value](int, const List& v) { return f(v); }};
        expect_close(run(s, operation),
                     test::naive_filter(*s.access, s.values, s.tree, beyond, naive));
        // And as wide in pixels on all levels.
        Operation restricted = operation;
        restricted.parameters["mode"] = std::string("restricted");
        const int finest = s.access->level_max();
        naive.size = [&](int level) {
          return statistic_size({size, StencilMode::restricted}, finest - level);
        };
        const auto boxes =
            StencilPyramid::create(box_stencil(size), StencilMode::restricted, false, finest);
        if (name == std::string("mean")) naive = test::naive_correlation(*boxes);
        expect_close(run(s, restricted),
                     test::naive_filter(*s.access, s.values, s.tree, beyond, naive));
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
    }
  }
}

TEST_P(BackendParity, AFilterThatTheProgramDoesNotKnowRuns) {
  const test::WithToy with;
  const test::Sample s(test::random_access({{14, 21, 37}, 17, 0.6, true}));
  EXPECT_EQ(run(s, {"next_mean", {{"share", 0.25}}}), run(s, test::next_mean_by_hand(0.25)));
}

TEST_P(BackendParity, MediansOfNegativeNumbers) {
  test::Sample s(test::full_access({6, 7, 8}));
  s.values = test::random_values(s.values.size(), 4, -500.0F, 300.0F);
  s.tree = test::naive_tree(*s.access, s.values, Reduction::mean);
  const test::NaiveFilter naive{[](int) {
                                  return Size3{3, 3, 3};
                                },
                                [](int, std::vector<double> v) {
                                  std::sort(v.begin(), v.end());
                                  return v[v.size() / 2];
                                }};
  expect_close(run(s, {"median", {}}),
               test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect, naive));
}

TEST_P(BackendParity, SlicesOfAllAxesInOneGoAgreeWithTheWholeBitForBit) {
  const test::Sample s(test::random_access({{25, 31, 90}, 21, 0.75, true}));
  const test::ParticleMap map = test::particle_map(*s.access);
  const std::vector<Region> slices{
      {{7, 0, 0}, {8, 31, 90}}, {{0, 30, 0}, {25, 31, 90}}, {{0, 0, 33}, {25, 31, 34}}};
  std::vector<bool> inside(s.values.size(), false);
  for (const Region& slice : slices)
    for (std::int64_t z = slice.begin.z; z < slice.end.z; ++z)
      for (std::int64_t x = slice.begin.x; x < slice.end.x; ++x)
        for (std::int64_t y = slice.begin.y; y < slice.end.y; ++y)
          inside[map.index.at(z, x, y)] = true;
  for (const Operation& operation :
       {custom(test::counting_stencil({3, 3, 3}), "restricted", "reflect"),
        custom(test::counting_stencil({5, 3, 7}), "restricted", "zero"), Operation{"gaussian", {}},
        Operation{"gradient", {}}, Operation{"median", {}}, Operation{"standard_deviation", {}}}) {
    SCOPED_TRACE(describe(operation));
    const Values full = run(s, operation);
    Values wanted(s.values.size(), -77.0F);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (inside[i]) wanted[i] = full[i];
    }
    Values part(s.values.size(), -77.0F);
    const auto data = dataset(s);
    ASSERT_TRUE(backend_->run_regions(operation, *data, slices, part, {}).ok());
    EXPECT_EQ(part, wanted);
    // A device cuts them itself; the CPU does not.
    const std::vector<SlicePlace> places{{Axis::z, 7}, {Axis::x, 30}, {Axis::y, 33}};
    const auto planes = backend_->filtered_slices(operation, *data, places, {});
    ASSERT_TRUE(planes.ok()) << planes.error().message();
    ASSERT_EQ(planes->has_value(), backend_->id() != "cpu");
    for (std::size_t i = 0; *planes && i < places.size(); ++i) {
      const Plane expected = slice_particles(*s.access, full, ReconstructionMode::constant,
                                             places[i].axis, places[i].index);
      EXPECT_EQ((**planes)[i].rows, expected.rows);
      EXPECT_EQ((**planes)[i].cols, expected.cols);
      EXPECT_EQ((**planes)[i].values, expected.values) << i;
    }
  }
}

TEST_P(BackendParity, SlicesOfWhatNoDeviceCuts) {
  const test::Sample s(test::random_access({{9, 9, 9}, 2, 0.5, true}));
  const std::vector<SlicePlace> place{{Axis::y, 8}};
  // Pixels, and steps that are no filters, are not cut on the device.
  Volume image;
  image.pixels = Pixels<float>({9, 9, 9});
  const auto pixels = Dataset::create(std::move(image));
  for (const auto& planes :
       {backend_->filtered_slices({"gaussian", {}}, *pixels, place, {}),
        backend_->filtered_slices({"reconstruct", {}}, *dataset(s), place, {})}) {
    ASSERT_TRUE(planes.ok());
    EXPECT_FALSE(planes->has_value());
  }
}

TEST_P(BackendParity, ARegionAgreesWithTheWholeBitForBitAndTouchesNothingElse) {
  const test::Sample s(test::random_access({{25, 31, 90}, 21, 0.55, true}));
  const Operation operation = custom(test::counting_stencil({5, 5, 5}), "restricted", "reflect");
  const Values full = run(s, operation);
  const test::ParticleMap map = test::particle_map(*s.access);
  for (const Region& region : {Region{{7, 0, 0}, {8, 31, 90}}, Region{{0, 0, 33}, {25, 31, 34}},
                               Region{{24, 30, 89}, {25, 31, 90}}}) {
    std::vector<bool> inside(s.values.size(), false);
    for (std::int64_t z = region.begin.z; z < region.end.z; ++z)
      for (std::int64_t x = region.begin.x; x < region.end.x; ++x)
        for (std::int64_t y = region.begin.y; y < region.end.y; ++y)
          inside[map.index.at(z, x, y)] = true;
    Values part(s.values.size(), -77.0F);
    ASSERT_TRUE(backend_->run_region(operation, *dataset(s), region, part, {}).ok());
    for (std::size_t i = 0; i < part.size(); ++i) {
      ASSERT_EQ(part[i], inside[i] ? full[i] : -77.0F) << i;
    }
  }
}

TEST_P(BackendParity, ReconstructionsEqualBruteForceAndKeepTypes) {
  for (const auto& access : structures()) {
    Apr apr = test::random_apr({{9, 9, 9}, 1, 0.6, true});
    apr.access = access;
    const auto values = test::random_values(access->count(), 3, 0.0F, 65536.0F, true);
    apr.fields = {std::make_shared<const Field>(
        Field{"particles", std::vector<std::uint16_t>(values.begin(), values.end())})};
    const auto data = Dataset::create(std::move(apr));
    const auto pixels = backend_->run({"reconstruct", {}}, *data, {});
    ASSERT_TRUE(pixels.ok()) << pixels.error().message();
    const auto& got = std::get<Pixels<std::uint16_t>>(std::get<Volume>(*pixels).pixels);
    const Pixels<float> expected = test::naive_reconstruct(*access, values);
    EXPECT_TRUE(std::equal(got.values.begin(), got.values.end(), expected.values.begin(),
                           expected.values.end()));
    const auto levels = backend_->run({"reconstruct", {{"mode", std::string("level")}}}, *data, {});
    ASSERT_TRUE(levels.ok());
    EXPECT_EQ(std::get<Pixels<std::uint8_t>>(std::get<Volume>(*levels).pixels).values,
              test::particle_map(*access).level.values);
    const auto smooth =
        backend_->run({"reconstruct", {{"mode", std::string("smooth")}}}, *data, {});
    ASSERT_TRUE(smooth.ok());
    const auto reference =
        reconstruct(*access, values, ReconstructionMode::smooth, whole(access->size()));
    const auto& smooth_pixels = std::get<Pixels<float>>(std::get<Volume>(*smooth).pixels);
    expect_close(smooth_pixels.values, {reference->values.begin(), reference->values.end()},
                 65536.0);
  }
}

TEST_P(BackendParity, RepeatsBitForBit) {
  const test::Sample s(test::random_access({{40, 40, 40}, 31, 0.6, true}));
  const Operation operation = custom(gaussian_stencil({2, 2, 2}), "restricted", "reflect");
  const Values first = run(s, operation);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(s, operation), first);
}

TEST_P(BackendParity, StopsWhenAskedTo) {
  const test::Sample s(test::random_access({{20, 20, 20}, 2, 0.7, true}));
  std::stop_source stop;
  stop.request_stop();
  const auto result = backend_->run({"gaussian", {}}, *dataset(s), JobContext(stop.get_token()));
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error().cancelled());
}

TEST_P(BackendParity, ValuesThatAreNotFiniteAreRefused) {
  test::Sample s(test::random_access({{9, 9, 9}, 2, 0.7, true}));
  s.values[3] = std::numeric_limits<float>::quiet_NaN();
  const auto result = backend_->run({"gaussian", {}}, *dataset(s), {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().what.find("not finite"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendParity, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope
