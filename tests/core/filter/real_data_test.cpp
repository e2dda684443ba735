#include <variant>

#include <gtest/gtest.h>

#include "core/apr/structure/tile.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/filter/naive.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

// Value of cell (z, x, y) of `level` by its definition: the particle that is or contains it, else
// the mean of the children that exist. Looks up particles by position only, no tree.
double cell_value(const AprAccess& access, const std::vector<float>& values, int level,
                  const Index3& cell) {
  const int shift = access.level_max() - level;
  const ParticleAt at = access.find({cell.z << shift, cell.x << shift, cell.y << shift});
  if (at.level <= level) return static_cast<double>(values[at.index]);
  const Size3 grid = level_grid(access.size(), access.level_max(), level + 1);
  double sum = 0.0;
  int count = 0;
  for (std::int64_t z = 2 * cell.z; z < std::min(2 * cell.z + 2, grid.z); ++z)
    for (std::int64_t x = 2 * cell.x; x < std::min(2 * cell.x + 2, grid.x); ++x)
      for (std::int64_t y = 2 * cell.y; y < std::min(2 * cell.y + 2, grid.y); ++y) {
        sum += cell_value(access, values, level + 1, {z, x, y});
        ++count;
      }
  return sum / count;
}

std::int64_t mirror(std::int64_t i, std::int64_t n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i;
  return i;
}

// Compares every `step`-th particle with the definition.
void expect_definition(const Apr& apr, const Stencil& stencil, StencilMode mode,
                       std::uint64_t step) {
  const AprAccess& access = *apr.access;
  const std::vector<float> values = apr.main_field()->to_float();
  const auto tree = fill_tree(access, values, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  const auto pyramid = StencilPyramid::create(stencil, mode, false, access.level_max());
  ASSERT_TRUE(pyramid.ok());
  std::vector<float> out(values.size());
  ASSERT_TRUE(
      convolve({&access, values, *tree}, *pyramid, Boundary::reflect, whole(access.size()), out)
          .ok());
  const LinearAccess& cells = access.particles();
  std::uint64_t checked = 0;
  for (int l = access.level_min_used(); l <= access.level_max(); ++l) {
    const Size3 grid = cells.grid(l);
    const Stencil& w = pyramid->at(l);
    for (std::int64_t z = 0; z < grid.z; ++z)
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          if (i % step != 0) continue;
          double sum = 0.0;
          double scale = 0.0;
          std::size_t k = 0;
          for (std::int64_t dz = -(w.size.z / 2); dz <= w.size.z / 2; ++dz)
            for (std::int64_t dx = -(w.size.x / 2); dx <= w.size.x / 2; ++dx)
              for (std::int64_t dy = -(w.size.y / 2); dy <= w.size.y / 2; ++dy) {
                const double part =
                    w.weights[k++] * cell_value(access, values, l,
                                                {mirror(z + dz, grid.z), mirror(x + dx, grid.x),
                                                 mirror(cells.y()[i] + dy, grid.y)});
                sum += part;
                scale += std::abs(part);
              }
          ASSERT_NEAR(out[i], sum, 1e-6 * scale) << "particle " << i << " of level " << l;
          ++checked;
        }
      }
  }
  EXPECT_GT(checked, 50U);
}

TEST(RealData, ConvolutionFollowsItsDefinition) {
  APRSCOPE_NEEDS_DATA();
  const auto data = load_file((test::data_dir() / "apr/benchmark/cr_20.apr").string());
  ASSERT_TRUE(data.ok()) << data.error().message();
  const Apr& apr = std::get<Apr>(*data);
  expect_definition(apr, test::counting_stencil({3, 3, 3}), StencilMode::same, 151);
  expect_definition(apr, test::counting_stencil({5, 3, 7}), StencilMode::restricted, 307);
  expect_definition(apr, gaussian_stencil({2, 2, 2}), StencilMode::restricted, 997);
}

// Seams of tiled data put cells of very different size next to each other.
TEST(RealData, ConvolutionAcrossTheSeamsOfTiledData) {
  APRSCOPE_NEEDS_DATA();
  const auto data = load_file((test::data_dir() / "apr/benchmark/cr_20.apr").string());
  ASSERT_TRUE(data.ok()) << data.error().message();
  const auto tiled = tile(std::get<Apr>(*data), 2);
  ASSERT_TRUE(tiled.ok()) << tiled.error().message();
  expect_definition(*tiled, test::counting_stencil({5, 5, 5}), StencilMode::same, 1009);
}

}  // namespace
}  // namespace aprscope
