#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/dataset/dataset.hpp"

namespace aprscope::test {

using PixelFunction = std::function<double(std::int64_t, std::int64_t, std::int64_t)>;

/// An f32 image whose pixel (z, x, y) is f(z, x, y).
inline Volume image_of(const Size3& size, const PixelFunction& f) {
  Pixels<float> pixels(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        pixels.at(z, x, y) = static_cast<float>(f(z, x, y));
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "image";
  return volume;
}

/// An APR whose cells of level l at z are the particles where `here(l, z)`; value of cell (z, x, y)
/// is f(z, x, y). The cells must partition the image.
inline Apr layered_apr(const Size3& size, const std::function<bool(int, std::int64_t)>& here,
                       const PixelFunction& f) {
  const int finest = finest_level(size);
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> ends{0};
  std::vector<float> values;
  for (int l = 1; l <= finest; ++l) {
    const Size3 grid = level_grid(size, finest, l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        for (std::int64_t i = 0; here(l, z) && i < grid.y; ++i) {
          y.push_back(static_cast<std::uint16_t>(i));
          values.push_back(static_cast<float>(f(z, x, i)));
        }
        ends.push_back(y.size());
      }
    }
  }
  auto linear = LinearAccess::create(size, finest, 1, finest, std::move(y), std::move(ends));
  EXPECT_TRUE(linear.ok());
  auto access = AprAccess::create(*std::move(linear));
  EXPECT_TRUE(access.ok());
  Apr apr;
  apr.access = *access;
  apr.fields = {std::make_shared<const Field>(Field{"parts", std::move(values)})};
  apr.name = "particles";
  return apr;
}

/// An APR whose cells all have `level`.
inline Apr uniform_apr(const Size3& size, int level, const PixelFunction& f) {
  return layered_apr(
      size, [=](int l, std::int64_t) { return l == level; }, f);
}

/// An APR with two levels in it: the half z < size/2 fine, the other half one level coarser.
inline Apr two_level_apr(std::int64_t n, const PixelFunction& f) {
  const Size3 size{n, n, n};
  const int finest = finest_level(size);
  const auto here = [=](int l, std::int64_t z) {
    const std::int64_t half = level_grid(size, finest, l).z / 2;
    return l == finest ? z < half : l == finest - 1 && z >= half;
  };
  return layered_apr(size, here, f);
}

/// A reproducible rough pattern with values from 0 to 999.
inline double rough(std::int64_t z, std::int64_t x, std::int64_t y) {
  const auto mixed = static_cast<std::uint64_t>(z * 73856093 + x * 19349663 + y * 83492791 + 12345);
  return static_cast<double>((mixed * 2654435761U >> 7U) % 1000);
}

}  // namespace aprscope::test
