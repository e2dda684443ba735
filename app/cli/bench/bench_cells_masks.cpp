#include "app/cli/bench/bench_cells_masks.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <variant>

#include "core/base/parallel.hpp"

namespace aprscope::cli {

NamedMask noise_mask(const Size3& size, int percent) {
  NamedMask out{"noise " + std::to_string(percent) + " %", Pixels<std::uint8_t>(size), {}};
  std::mt19937_64 random(1);
  const auto limit = static_cast<std::uint64_t>(percent / 100.0 * 65536.0);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.mask.values.size(); ++i, bits >>= 16U) {
    if (i % 4 == 0) bits = random();
    out.mask.values[i] = (bits & 0xFFFFU) < limit ? 1 : 0;
  }
  return out;
}

NamedMask smooth_mask(const Size3& size) {
  NamedMask out{"smooth", Pixels<std::uint8_t>(size), {}};
  parallel_for(size.z, thread_count(), [&](std::int64_t at) {
    const auto z = static_cast<double>(at);
    for (std::int64_t x = 0; x < size.x; ++x) {
      const double a = 0.11 * z + 0.07 * static_cast<double>(x);
      const double b = std::sin(0.13 * static_cast<double>(x) - 0.05 * z);
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto c = static_cast<double>(y);
        out.mask.at(at, x, y) =
            std::sin(a + 0.03 * c) + b * std::cos(0.09 * c) + std::cos(0.15 * c - a) > 0.0 ? 1 : 0;
      }
    }
  });
  return out;
}

NamedMask wall_mask(const Size3& size) {
  NamedMask out{"walls", Pixels<std::uint8_t>(size), {}};
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        out.mask.at(z, x, y) = z % 43 < 3 || x % 43 < 3 || y % 43 < 3 ? 1 : 0;
      }
    }
  }
  return out;
}

bool is_mask(const Volume& volume) {
  return std::visit(
      [](const auto& pixels) {
        const auto& values = pixels.values;
        const auto one = std::ranges::find_if(values, [](auto v) { return v != 0; });
        return std::all_of(one, values.end(), [&](auto v) { return v == 0 || v == *one; });
      },
      volume.pixels);
}

NamedMask mask_of(const std::string& name, const Volume& volume) {
  NamedMask out{name, Pixels<std::uint8_t>(volume.size()), volume.voxel};
  std::visit(
      [&](const auto& pixels) {
        std::ranges::transform(pixels.values, out.mask.values.begin(),
                               [](auto v) { return v != 0 ? std::uint8_t{1} : std::uint8_t{0}; });
      },
      volume.pixels);
  return out;
}

}  // namespace aprscope::cli
