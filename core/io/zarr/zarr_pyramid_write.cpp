#include "core/io/zarr/zarr_pyramid_write.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

template <class T>
T stored(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    // NaN becomes 0.
    constexpr auto most = static_cast<float>(std::numeric_limits<T>::max());
    if (!(value > 0.0F)) return 0;
    return value >= most ? std::numeric_limits<T>::max() : static_cast<T>(std::lround(value));
  }
}

template <class T>
void widen(std::span<const T> values, ZarrRange& range) {
  for (const T value : values) {
    const auto v = static_cast<double>(value);
    if (!std::isfinite(v)) continue;
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
  }
}

// Gives slices [z, z + depth) of a level as samples of type T.
template <class T>
using Slab = std::function<Result<std::span<const T>>(std::int64_t z, std::int64_t depth)>;

template <class T>
Status write_level(const ZarrArrayPlan& plan, const ZarrPlace& place, const Slab<T>& slab,
                   ZarrRange* range, const JobContext& context) {
  for (std::int64_t z = 0; z < plan.size.z; z += kZarrChunk) {
    const std::int64_t depth = std::min(kZarrChunk, plan.size.z - z);
    const auto samples = slab(z, depth);
    if (!samples) return samples.error();
    if (range != nullptr) widen(*samples, *range);
    const auto share = [&](std::int64_t at) {
      return static_cast<double>(at) / static_cast<double>(plan.size.z);
    };
    Status written = write_zarr_slab(plan, place, z, depth, samples->data(),
                                     context.part(share(z), share(z + depth)));
    if (!written) return written;
  }
  return {};
}

// A level that is in memory as floats.
template <class T>
Slab<T> slab_of(const Pixels<float>& pixels, std::vector<T>& scratch) {
  return [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    const float* const from = pixels.values.data() + pixels.index(z, 0, 0);
    const auto count = static_cast<std::size_t>(depth * pixels.size.x * pixels.size.y);
    if constexpr (std::is_same_v<T, float>) {
      return std::span<const T>(from, count);
    } else {
      scratch.resize(count);
      std::transform(from, from + count, scratch.begin(), stored<T>);
      return std::span<const T>(scratch);
    }
  };
}

Size3 halved(const Size3& size) { return {(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2}; }

// ZarrFactors of the next level; a side of one pixel is not halved.
ZarrFactors halved(const ZarrFactors& factors, const Size3& size) {
  return {size.z > 1 ? 2.0 * factors[0] : factors[0], size.x > 1 ? 2.0 * factors[1] : factors[1],
          size.y > 1 ? 2.0 * factors[2] : factors[2]};
}

bool is_last(const Size3& size) { return std::max({size.z, size.x, size.y}) <= kZarrChunk; }

// Means of up to 2³ pixels.
template <class T>
Result<Pixels<float>> means(const Pixels<T>& fine, const fs::path& path,
                            const JobContext& context) {
  auto coarse = allocate_pixels<float>(halved(fine.size), path);
  if (!coarse) return coarse;
  const Size3& size = coarse->size;
  const bool done = parallel_items(
      size.z, threads_for(fine.size.count()), JobContext(context.stop_token()), "writing",
      [&](std::int64_t z, int) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            double sum = 0.0;
            int count = 0;
            for (std::int64_t i = 2 * z; i < std::min(2 * z + 2, fine.size.z); ++i) {
              for (std::int64_t j = 2 * x; j < std::min(2 * x + 2, fine.size.x); ++j) {
                for (std::int64_t k = 2 * y; k < std::min(2 * y + 2, fine.size.y); ++k) {
                  sum += static_cast<double>(fine.at(i, j, k));
                  ++count;
                }
              }
            }
            coarse->at(z, x, y) = static_cast<float>(sum / count);
          }
        }
      });
  if (!done) return cancelled_error();
  return coarse;
}

// The share of the work that is done before level `i`: each has an eighth of the pixels.
double share_before(std::size_t i) { return 1.0 - std::pow(0.125, static_cast<double>(i)); }

// Where a part goes.
struct Target {
  const ZarrPyramid& pyramid;
  const ZarrPlace& place;
  ZarrRange& range;
  const JobContext& context;

  [[nodiscard]] std::size_t levels() const { return pyramid.arrays.size(); }
  template <class T>
  Status write(std::size_t level, const Slab<T>& slab) const {
    return write_level(pyramid.arrays[level], place, slab, level == 0 ? &range : nullptr,
                       context.part(share_before(level), share_before(level + 1)));
  }
};

template <class T>
Status write_volume(const Pixels<T>& pixels, const Target& target) {
  const Slab<T> all = [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    return std::span<const T>(pixels.values.data() + pixels.index(z, 0, 0),
                              static_cast<std::size_t>(depth * pixels.size.x * pixels.size.y));
  };
  if (Status written = target.write(0, all); !written) return written;
  const fs::path& folder = target.pyramid.arrays.front().folder;
  Pixels<float> level;
  std::vector<T> scratch;
  for (std::size_t i = 1; i < target.levels(); ++i) {
    auto coarse =
        i == 1 ? means(pixels, folder, target.context) : means(level, folder, target.context);
    if (!coarse) return coarse.error();
    level = *std::move(coarse);
    if (Status written = target.write<T>(i, slab_of(level, scratch)); !written) return written;
  }
  return {};
}

template <class T>
Status write_particles(const AprAccess& access, std::span<const float> values,
                       const Target& target) {
  Pixels<float> painted;
  std::vector<T> scratch;
  const JobContext quiet(target.context.stop_token());
  const Size3& size = access.size();
  const Slab<T> all = [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    const Region region{{z, 0, 0}, {z + depth, size.x, size.y}};
    auto slab = reconstruct(access, values, ReconstructionMode::constant, region, quiet);
    if (!slab) return slab.error();
    painted = *std::move(slab);
    return slab_of(painted, scratch)(0, depth);
  };
  if (Status written = target.write(0, all); !written) return written;
  if (target.levels() == 1) return {};
  std::vector<float> tree;
  if (Status filled = fill_tree(access, values, Reduction::mean, tree, quiet); !filled) {
    return filled;
  }
  for (std::size_t i = 1; i < target.levels(); ++i) {
    const auto pixels =
        reconstruct_at_level(access, values, tree, access.level_max() - static_cast<int>(i), quiet);
    if (!pixels) return pixels.error();
    if (Status written = target.write<T>(i, slab_of(*pixels, scratch)); !written) return written;
  }
  return {};
}

Status write(const Volume& volume, const Target& target) {
  return std::visit([&](const auto& pixels) { return write_volume(pixels, target); },
                    volume.pixels);
}

Status write(const Apr& apr, const Target& target) {
  const auto field = apr.main_field();
  const std::vector<float> values = field->to_float();
  switch (zarr_kind(*field)) {
    case SampleKind::u8:
      return write_particles<std::uint8_t>(*apr.access, values, target);
    case SampleKind::u16:
      return write_particles<std::uint16_t>(*apr.access, values, target);
    default:
      return write_particles<float>(*apr.access, values, target);
  }
}

}  // namespace

ZarrPyramid zarr_pyramid(const ZarrArrayPlan& finest) {
  ZarrPyramid made;
  ZarrFactors factors{1.0, 1.0, 1.0};
  ZarrArrayPlan plan = finest;
  for (int level = 0;; ++level) {
    plan.folder = finest.folder / std::to_string(level);
    made.arrays.push_back(plan);
    made.factors.push_back(factors);
    if (is_last(plan.size)) return made;
    factors = halved(factors, plan.size);
    plan.size = halved(plan.size);
  }
}

SampleKind zarr_kind(const Field& field) {
  const std::string dtype = field.dtype();
  return dtype == "u8" ? SampleKind::u8 : dtype == "u16" ? SampleKind::u16 : SampleKind::f32;
}

Status write_zarr_part(const ZarrPyramid& pyramid, const ZarrPlace& place, const OmeZarrPart& part,
                       ZarrRange& range, const JobContext& context) {
  const Target target{pyramid, place, range, context};
  return std::visit([&](const auto& data) { return write(*data, target); }, part);
}

}  // namespace aprscope
