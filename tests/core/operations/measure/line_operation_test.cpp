// The profile along a line against values computed by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "core/operations/measure/line_in_slice.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

using Point = std::array<double, 3>;
constexpr Size3 kRampSize{6, 12, 20};

// value = 1000 z + 50 x + y: linear, so that what lies between pixels is known.
double value_at(const Point& p) { return 1000.0 * p[0] + 50.0 * p[1] + p[2]; }

std::shared_ptr<const Dataset> ramp() {
  Volume volume;
  Pixels<std::uint16_t> pixels(kRampSize);
  for (std::int64_t z = 0; z < kRampSize.z; ++z) {
    for (std::int64_t x = 0; x < kRampSize.x; ++x) {
      for (std::int64_t y = 0; y < kRampSize.y; ++y) {
        pixels.values[static_cast<std::size_t>((z * kRampSize.x + x) * kRampSize.y + y)] =
            static_cast<std::uint16_t>(1000 * z + 50 * x + y);
      }
    }
  }
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "ramp";
  return Dataset::create(std::move(volume));
}

Operation profile(const Point& from, const Point& to, const std::string& plane = "xy",
                  std::int64_t width = 1) {
  return *complete(
      {"line_profile", {{"start", from}, {"end", to}, {"plane", plane}, {"width", width}}});
}

Result<Measurement> measured(const std::shared_ptr<const Dataset>& data, const Operation& line) {
  if (Status ok = cpu_backend()->supports(line, *data); !ok) return ok.error();
  return cpu_backend()->measure(line, *data, {});
}

double figure(const Measurement& found, const char* id) {
  const Column* column = found.tables.front().column(id);
  return column != nullptr ? std::get<std::vector<double>>(column->cells).front() : std::nan("");
}

TEST(LineProfileOperation, FollowsTheImageInEveryPlane) {
  struct Case {
    Point from, to;
    const char* plane;
    double length;
  };
  for (const Case& one : {Case{{3, 2, 4}, {3, 10, 16}, "xy", std::hypot(8 * 0.5, 12 * 0.25)},
                          Case{{0, 5, 1}, {5, 5, 18}, "yz", std::hypot(5 * 2.0, 17 * 0.25)},
                          Case{{5, 11, 8}, {1, 3, 8}, "xz", std::hypot(4 * 2.0, 8 * 0.5)}}) {
    const auto found = measured(ramp(), profile(one.from, one.to, one.plane));
    ASSERT_TRUE(found.ok()) << found.error().message();
    EXPECT_NEAR(figure(*found, "length"), one.length, 1e-9);
    const Curve& curve = found->curves.front();
    EXPECT_EQ(curve.x.unit, "µm");
    EXPECT_NEAR(curve.x.values.back(), one.length, 1e-9);
    for (std::size_t i = 0; i < curve.x.values.size(); ++i) {
      const double t = curve.x.values[i] / one.length;
      Point p{};
      for (std::size_t d = 0; d < 3; ++d) p[d] = one.from[d] + t * (one.to[d] - one.from[d]);
      EXPECT_NEAR(curve.ys.front().values[i], value_at(p), 1e-2);
    }
    const double ends[] = {value_at(one.from), value_at(one.to)};
    EXPECT_NEAR(figure(*found, "minimum"), std::min(ends[0], ends[1]), 1e-2);
    EXPECT_NEAR(figure(*found, "maximum"), std::max(ends[0], ends[1]), 1e-2);
    EXPECT_NEAR(figure(*found, "mean"), 0.5 * (ends[0] + ends[1]), 1e-2);
    // A slope is no peak.
    EXPECT_TRUE(std::isnan(figure(*found, "half_width")));
    EXPECT_TRUE(curve.levels.empty());
  }
}

TEST(LineProfileOperation, ABeadIsAsWideAsItIs) {
  const double sigma = 3.0;  // px of 0.2 µm
  Volume volume;
  Pixels<float> pixels(Size3{1, 41, 61});
  for (std::int64_t x = 0; x < 41; ++x) {
    for (std::int64_t y = 0; y < 61; ++y) {
      const double r = std::hypot(static_cast<double>(x - 20), static_cast<double>(y - 30));
      pixels.values[static_cast<std::size_t>(x * 61 + y)] =
          static_cast<float>(10.0 + 200.0 * std::exp(-0.5 * r * r / (sigma * sigma)));
    }
  }
  volume.pixels = std::move(pixels);
  volume.voxel = {1.0, 0.2, 0.2, "µm"};
  const std::shared_ptr<const Dataset> bead = Dataset::create(std::move(volume));
  const auto found = measured(bead, profile({0, 20, 5}, {0, 20, 55}));
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(figure(*found, "half_width"), 0.2 * 2.3548 * sigma, 0.02);
  ASSERT_EQ(found->curves.front().levels.size(), 1U);
  EXPECT_NEAR(found->curves.front().levels.front().y, 110.0, 0.5);
}

TEST(LineProfileOperation, OfParticlesIsThatOfTheirPixels) {
  test::RandomAprOptions options;
  options.size = {9, 21, 26};
  const std::shared_ptr<const Dataset> apr = Dataset::create(test::random_apr(options));
  for (const char* mode : {"constant", "smooth"}) {
    Operation line = profile({4, 1, 2}, {4, 19, 25}, "xy", 4);
    line.parameters["mode"] = std::string(mode);
    const auto particles = measured(apr, line);
    ASSERT_TRUE(particles.ok()) << particles.error().message();
    auto image =
        cpu_backend()->run(*complete({"reconstruct", {{"mode", std::string(mode)}}}), *apr, {});
    ASSERT_TRUE(image.ok()) << image.error().message();
    const auto pixels = measured(Dataset::create(*std::move(image)), line);
    ASSERT_TRUE(pixels.ok());
    const auto& a = particles->curves.front().ys.front().values;
    const auto& b = pixels->curves.front().ys.front().values;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3 * std::abs(b[i]));
    EXPECT_NE(particles->notes.front().find(mode), std::string::npos);
  }
}

TEST(LineProfileOperation, ParticlesWithoutValuesAreRefused) {
  test::RandomAprOptions options;
  options.size = {9, 21, 26};
  Apr apr;
  apr.access = test::random_access(options);
  const std::shared_ptr<const Dataset> data = Dataset::create(std::move(apr));
  const auto found = measured(data, profile({4, 1, 2}, {4, 19, 25}));
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("no particle values"), std::string::npos)
      << found.error().message();
}

TEST(LineProfileOperation, BadLinesGetASentence) {
  const auto message = [](const Operation& line) {
    const auto found = measured(ramp(), line);
    return found ? std::string() : found.error().message();
  };
  EXPECT_NE(message(profile({0, 0, 0}, {0, 0, 0})).find("needs a line"), std::string::npos);
  EXPECT_NE(message(profile({1, 0, 0}, {2, 3, 0})).find("leaves its xy slice"), std::string::npos);
  EXPECT_NE(message(profile({6, 0, 0}, {6, 3, 0})).find("choose z from 0 to 5"), std::string::npos);
  EXPECT_NE(message(profile({0, 0, 0}, {0, 3, 1e8})).find("leaves the image along y"),
            std::string::npos);
  EXPECT_NE(message(profile({0, -2, 0}, {0, 3, 0})).find("leaves the image along x"),
            std::string::npos);
  // The edge of the outermost pixels belongs to the image.
  EXPECT_EQ(message(profile({0, -0.5, 0}, {0, 11.5, 19.5})), "");
}

}  // namespace
}  // namespace aprscope
