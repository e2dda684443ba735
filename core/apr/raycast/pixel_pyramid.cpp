#include "core/apr/raycast/pixel_pyramid.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope::detail {
namespace {

template <class T>
constexpr T nothing() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                              : std::numeric_limits<T>::lowest();
}

}  // namespace

template <class T>
Float8 PixelPyramid<T>::pixels(const OctreeCell& cell) const {
  const Size3& size = image_->size;
  std::array<float, 8> out;
  out.fill(kNothing);
  const std::int64_t y = cell.low[2];
  for (unsigned r = 0; r < 4; ++r) {
    const std::int64_t z = cell.low[0] + (r >> 1U);
    const std::int64_t x = cell.low[1] + (r & 1U);
    if (z >= size.z || x >= size.x) continue;
    const T* const p = image_->values.data() + image_->index(z, x, y);
    out[2 * r] = static_cast<float>(p[0]);
    if (y + 1 < size.y) out[2 * r + 1] = static_cast<float>(p[1]);
  }
  return Float8::load(out.data());
}

template <class T>
Result<PixelPyramid<T>> PixelPyramid<T>::build(const Pixels<T>& image, const JobContext& context) {
  PixelPyramid out;
  out.image_ = &image;
  out.level_max_ = finest_level(image.size);
  for (int l = 0; l <= out.level_max_; ++l) {
    out.grids_.push_back(level_grid(image.size, out.level_max_, l));
  }
  try {
    out.levels_.resize(static_cast<std::size_t>(out.level_max_));
    for (int l = out.level_max_ - 2; l >= 0; --l) {
      const auto level = static_cast<std::size_t>(l);
      out.levels_[level].assign(static_cast<std::size_t>(8 * out.grids_[level].count()),
                                nothing<T>());
    }
  } catch (const std::bad_alloc&) {
    return Error{
        "not enough memory for the maxima of " + std::to_string(image.size.count()) + " pixels",
        "maximum projection", "close other data first"};
  }
  for (int l = out.level_max_ - 2; l >= 0; --l) {
    const auto level = static_cast<std::size_t>(l);
    const Size3 grid = out.grids_[level];
    const Size3 fine = out.grids_[level + 1];
    const bool from_pixels = l + 2 == out.level_max_;
    const int threads = fine.count() > 4096 ? thread_count() : 1;
    parallel_for(fine.z * fine.x, threads, [&](std::int64_t i) {
      if (context.stop_requested()) return;
      const std::int64_t z = i / fine.x;
      const std::int64_t x = i % fine.x;
      T* const row = out.levels_[level].data() + 8 * (((z >> 1) * grid.x + (x >> 1)) * grid.y) +
                     4 * (z & 1) + 2 * (x & 1);
      if (!from_pixels) {
        const T* below = out.levels_[level + 1].data() + 8 * i * fine.y;
        for (std::int64_t y = 0; y < fine.y; ++y, below += 8) {
          T m = nothing<T>();
          for (int c = 0; c < 8; ++c) m = below[c] > m ? below[c] : m;
          row[8 * (y >> 1) + (y & 1)] = m;
        }
        return;
      }
      const Size3& n = image.size;
      for (std::int64_t pz = 2 * z; pz < std::min(2 * z + 2, n.z); ++pz) {
        for (std::int64_t px = 2 * x; px < std::min(2 * x + 2, n.x); ++px) {
          const T* const p = image.values.data() + image.index(pz, px, 0);
          for (std::int64_t y = 0; y < n.y; ++y) {
            T& m = row[8 * (y >> 2) + (y >> 1 & 1)];
            m = p[y] > m ? p[y] : m;
          }
        }
      }
    });
    if (context.stop_requested()) return cancelled_error();
    context.report(1.0 - static_cast<double>(l) / out.level_max_, "maxima");
  }
  return out;
}

template <class T>
std::uint64_t PixelPyramid<T>::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& level : levels_) sum += level.size() * sizeof(T);
  return sum;
}

template class PixelPyramid<std::uint8_t>;
template class PixelPyramid<std::uint16_t>;
template class PixelPyramid<float>;

}  // namespace aprscope::detail
