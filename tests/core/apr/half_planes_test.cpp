#include "core/apr/convert/half_planes.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/image/synthetic.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

struct Planes {
  std::vector<float> gradient, scale;
};

// Gradient and scale of an image in memory that begins `shift` floats after a boundary of 2 MB, and
// that held no numbers before.
Planes planes_at(const Volume& volume, std::int64_t shift) {
  constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 21U;
  const Size3 half = half_size(volume.size());
  const std::int64_t count = half.count();
  const auto room = static_cast<std::size_t>(count + shift) + kHuge / sizeof(float);
  std::vector<float> a(room, std::nanf(""));
  std::vector<float> b(room, std::nanf(""));
  const auto ring = [&](std::vector<float>& memory) {
    const auto beyond = reinterpret_cast<std::uintptr_t>(memory.data()) % kHuge;
    float* const base = memory.data() + (kHuge - beyond) % kHuge / sizeof(float) + shift;
    return PlaneRing{base, half.x, half.y, half.z};
  };
  const HalfPlanes out{ring(a), ring(b), {nullptr, half.x, half.y, half.z}};
  RawSlices slices(volume);
  const auto made = make_half_planes(
      slices, ConversionParameters(), out, {}, [](std::int64_t, std::int64_t) { return Status(); },
      JobContext());
  EXPECT_TRUE(made.ok());
  return {{out.gradient.base, out.gradient.base + count}, {out.scale.base, out.scale.base + count}};
}

// Pages of memory are made ahead by writing to them: never where a result stands already.
TEST(HalfPlanes, DoNotDependOnWhereTheyLieInMemory) {
  SyntheticOptions options;
  options.size = test::kSanitized ? Size3{40, 250, 250} : Size3{75, 700, 700};
  const auto volume = make_synthetic("spheres", options);
  ASSERT_TRUE(volume.ok());
  const Planes first = planes_at(*volume, 0);
  for (const float v : first.gradient) ASSERT_FALSE(std::isnan(v));
  for (const float v : first.scale) ASSERT_FALSE(std::isnan(v));
  for (const std::int64_t shift : {1, 100000, 300001}) {
    const Planes other = planes_at(*volume, shift);
    EXPECT_TRUE(first.gradient == other.gradient) << shift;
    EXPECT_TRUE(first.scale == other.scale) << shift;
  }
}

}  // namespace
}  // namespace aprscope
