// Labels of a slice and how they are drawn, against what is read voxel by voxel.
#include "core/image/label_plane.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

const Size3 kSize{3, 4, 5};

std::vector<std::uint32_t> numbered() {
  std::vector<std::uint32_t> out(static_cast<std::size_t>(kSize.count()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  return out;
}

LabelMarks marks(double inside, double edge) {
  auto colours = std::make_shared<LabelColours>();
  colours->palette = {Rgb{0, 0, 0}, Rgb{200, 0, 0}, Rgb{0, 200, 0}};
  colours->of_label = {0, 1, 2};
  LabelMarks out;
  out.colours = std::move(colours);
  out.inside = inside;
  out.edge = edge;
  return out;
}

// A square image of one object in two parts.
LabelPlane in_two(std::int64_t side,
                  const std::function<bool(std::int64_t, std::int64_t)>& second) {
  LabelPlane plane;
  plane.rows = plane.cols = side;
  for (std::int64_t r = 0; r < side; ++r) {
    for (std::int64_t c = 0; c < side; ++c) {
      plane.values.push_back(1);
      plane.parts.push_back(second(r, c) ? 2 : 1);
    }
  }
  return plane;
}

// Which pixels have changed, drawn on black.
std::vector<bool> drawn(const LabelPlane& plane, const LabelMarks& how) {
  std::vector<std::uint8_t> rgba(plane.values.size() * 4, 0);
  mark_labels(plane, how, rgba);
  std::vector<bool> out;
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    out.push_back(rgba[i] != 0 || rgba[i + 1] != 0 || rgba[i + 2] != 0);
  }
  return out;
}

TEST(LabelPlane, HasTheLabelsOfItsSlice) {
  const auto labels = numbered();
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return labels[static_cast<std::size_t>((z * kSize.x + x) * kSize.y + y)];
  };
  for (std::int64_t i = 0; i < 3; ++i) {
    const LabelPlane z = slice_labels(labels, kSize, Axis::z, i);
    const LabelPlane x = slice_labels(labels, kSize, Axis::x, i);
    const LabelPlane y = slice_labels(labels, kSize, Axis::y, i);
    for (std::int64_t r = 0; r < 3; ++r) {
      for (std::int64_t c = 0; c < 4; ++c) {
        EXPECT_EQ(z.values[static_cast<std::size_t>(r * z.cols + c)], at(i, r, c));
        EXPECT_EQ(x.values[static_cast<std::size_t>(r * x.cols + c)], at(r, i, c));
        EXPECT_EQ(y.values[static_cast<std::size_t>(r * y.cols + c)], at(r, c, i));
      }
    }
  }
  EXPECT_TRUE(slice_labels(labels, {3, 4, 6}, Axis::z, 0).values.empty());
}

TEST(LabelPlane, KnowsThePartsOfItsPieces) {
  const auto pieces = numbered();
  LabelParts parts;
  // Some pieces are beyond what is known: they are of no part.
  for (std::uint32_t i = 0; i < 50; ++i) parts.part_of.push_back(i / 7);
  const std::vector<std::uint32_t> labels(pieces.size(), 3);
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    LabelPlane plane = slice_labels(labels, kSize, axis, 1);
    const LabelPlane lies = slice_labels(pieces, kSize, axis, 1);
    add_parts(lies, parts, plane);
    ASSERT_EQ(plane.parts.size(), plane.values.size());
    for (std::size_t i = 0; i < lies.values.size(); ++i) {
      EXPECT_EQ(plane.parts[i], lies.values[i] < 50 ? lies.values[i] / 7 : 0U);
    }
  }
  LabelPlane other = slice_labels(labels, kSize, Axis::z, 1);
  add_parts(slice_labels(pieces, kSize, Axis::x, 1), parts, other);
  EXPECT_TRUE(other.parts.empty());
}

// How many pixels of `there` hang together with pixel `i`, by corners too; those are taken away.
std::size_t take_piece(std::vector<bool>& there, std::int64_t side, std::int64_t i) {
  if (!there[static_cast<std::size_t>(i)]) return 0;
  there[static_cast<std::size_t>(i)] = false;
  std::size_t found = 1;
  for (std::int64_t r = i / side - 1; r <= i / side + 1; ++r) {
    for (std::int64_t c = i % side - 1; c <= i % side + 1; ++c) {
      if (r >= 0 && c >= 0 && r < side && c < side) found += take_piece(there, side, r * side + c);
    }
  }
  return found;
}

// Whichever way the wall runs and wherever it lies: some of its pixels, with gaps between them.
TEST(LabelMarks, DotWallsBetweenPartsOfAnObject) {
  constexpr std::int64_t kSide = 40;
  const std::int64_t steps[][2]{{1, 0},  {0, 1},  {1, 1}, {1, -1}, {2, 1},  {1, 2},
                                {2, -1}, {1, -2}, {3, 1}, {1, 3},  {3, -1}, {1, -3}};
  for (const auto& step : steps) {
    const std::int64_t a = step[0];
    const std::int64_t b = step[1];
    for (std::int64_t off = -6; off < 6; ++off) {
      const auto second = [&](std::int64_t r, std::int64_t c) {
        return a * (r - kSide / 2) + b * (c - kSide / 2) >= off;
      };
      auto there = drawn(in_two(kSide, second), marks(0.0, 1.0));
      std::size_t wall = 0;
      std::size_t dots = 0;
      for (std::int64_t r = 0; r < kSide; ++r) {
        for (std::int64_t c = 0; c < kSide; ++c) {
          const bool right = c + 1 < kSide && second(r, c) != second(r, c + 1);
          const bool below = r + 1 < kSide && second(r, c) != second(r + 1, c);
          wall += right || below ? 1 : 0;
          const bool dot = there[static_cast<std::size_t>(r * kSide + c)];
          dots += dot ? 1 : 0;
          EXPECT_TRUE(!dot || right || below) << a << ", " << b << ": " << r << ", " << c;
        }
      }
      EXPECT_GT(5 * dots, wall) << a << ", " << b << ", " << off;
      EXPECT_LT(5 * dots, 3 * wall) << a << ", " << b << ", " << off;
      for (std::int64_t i = 0; i < kSide * kSide; ++i) EXPECT_LE(take_piece(there, kSide, i), 8U);
    }
  }
}

TEST(LabelMarks, OfTwoObjectsOrWithoutPartsHaveNoDots) {
  const auto second = [](std::int64_t, std::int64_t c) { return c >= 5; };
  LabelPlane plane = in_two(10, second);
  plane.parts.clear();
  for (const bool there : drawn(plane, marks(0.0, 1.0))) EXPECT_FALSE(there);
  // Two objects have a whole edge, on both sides, however many parts they are of.
  plane = in_two(10, second);
  plane.values = plane.parts;
  const auto there = drawn(plane, marks(0.0, 1.0));
  for (std::size_t i = 0; i < there.size(); ++i) EXPECT_EQ(there[i], i % 10 == 4 || i % 10 == 5);
  // What is no object has no parts.
  plane = in_two(10, second);
  plane.values.assign(plane.values.size(), 0);
  for (const bool one : drawn(plane, marks(0.5, 1.0))) EXPECT_FALSE(one);
}

}  // namespace
}  // namespace aprscope
