#include "core/apr/convert/half_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace aprscope {
namespace {

// The window of `half` to either side of i, cut at 0 and n.
struct Cut {
  Cut(std::int64_t i, std::int64_t n, int half)
      : begin(std::max<std::int64_t>(i - half, 0)), end(std::min<std::int64_t>(i + half + 1, n)) {}
  [[nodiscard]] float share() const { return 1.0F / static_cast<float>(end - begin); }
  std::int64_t begin;
  std::int64_t end;
};

// The widest window takes 13 rows.
using RowList = std::array<const float*, 16>;

// Neighbours of sample i, mirrored about the ends; i itself where there is only one sample.
std::pair<std::int64_t, std::int64_t> neighbours(std::int64_t i, std::int64_t n) {
  return {mirrored_sample(i - 1, n), mirrored_sample(i + 1, n)};
}

}  // namespace

Size3 half_size(const Size3& size) {
  return {(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2};
}

HalfOptions half_options(const Size3& size, SampleKind kind, const ConversionParameters& p) {
  HalfOptions options;
  options.half = half_size(size);
  if (!p.constant_scale) options.windows = scale_windows(options.half, p);
  options.dz = p.dz;
  options.dx = p.dx;
  options.dy = p.dy;
  options.smoothed = p.lambda > 0.0F;
  // Smoothing spreads a trace of every bright voxel everywhere; what is less than half a grey value
  // of an integer image is background still.
  options.whole = options.smoothed && kind != SampleKind::f32;
  return options;
}

std::int64_t HalfStrip::scale_lag(const HalfOptions& options) {
  const ScaleWindow& z = options.windows.window[0];
  return intensity_lag(options) + z.inner + z.outer;
}

namespace {

// Planes that one call of push() makes at most.
constexpr std::int64_t kPlanes = SlabSmoother::kSlices / 2 + 1;

// Planes of means, of values and of deviations that are still needed.
struct Held {
  std::int64_t means = 0, values = 0, inner = 0, outer = 0;
};

Held held_by(const HalfOptions& options) {
  const ScaleWindow& z = options.windows.window[0];
  const std::int64_t mirrored = z.outer + 1;
  Held held;
  if (options.smoothed) held.means = kPlanes + 2;
  held.values = mirrored + (options.smoothed ? 0 : kPlanes - 1);
  if (!options.windows.any()) return held;
  held.inner = std::max<std::int64_t>(mirrored, 2 * z.inner + 1);
  held.outer = 2 * z.outer + 1;
  return held;
}

}  // namespace

std::int64_t HalfStrip::planes_held(const HalfOptions& options) {
  const Held held = held_by(options);
  const std::int64_t scratch = options.windows.any() ? 2 : 1;
  return held.means + held.values + held.inner + held.outer + scratch;
}

HalfStrip::HalfStrip(const HalfOptions& options, std::int64_t begin, std::int64_t end)
    : options_(options), n_(options.half), begin_(begin), end_(end) {
  const auto& window = options_.windows.window;
  border_ = {window[0].outer, window[1].outer, window[2].outer};
  p_ = {n_.z + 2 * border_.z, n_.x + 2 * border_.x, n_.y + 2 * border_.y};
  value_begin_ = begin;
  value_end_ = end;
  const std::int64_t reach = window[1].inner;
  for (std::int64_t px = std::max<std::int64_t>(begin - reach, 0);
       px < std::min(end + 2 * border_.x + reach, p_.x); ++px) {
    value_begin_ = std::min(value_begin_, line(px));
    value_end_ = std::max(value_end_, line(px) + 1);
  }
  const std::int64_t margin = options_.smoothed ? 1 : 0;
  mean_begin_ = std::max<std::int64_t>(value_begin_ - margin, 0);
  mean_end_ = std::min(value_end_ + margin, n_.x);
  const std::int64_t pitch = (p_.y + kPad - 1) / kPad * kPad + kPad;
  const Held held = held_by(options_);
  if (options_.smoothed) means_ = Rows(held.means, mean_begin_, mean_end_, pitch);
  values_ = Rows(held.values, value_begin_, value_end_, pitch);
  first_ = Rows(1, mean_begin_, mean_end_ + 1, pitch);
  if (!options_.windows.any()) {
    sums_.resize(static_cast<std::size_t>(n_.z * (end - begin)));
    return;
  }
  inner_ = Rows(held.inner, begin, end + 2 * border_.x, pitch);
  outer_ = Rows(held.outer, begin, end, pitch);
  second_ = Rows(1, begin, end + 2 * border_.x, pitch);
}

void HalfStrip::push(std::int64_t begin, std::int64_t end, const SlabSmoother& image,
                     const HalfPlanes& out) {
  // Row by row through all planes: each row of coefficients is fetched from memory once.
  for (std::int64_t x = mean_begin_; x < mean_end_; ++x) {
    for (std::int64_t h = begin; h < end; ++h) blocks(h, x, image, out);
  }
  for (std::int64_t h = begin; h < end; ++h) {
    if (!options_.smoothed) {
      values(h, image, out);
      continue;
    }
    if (h > 0) values(h - 1, image, out);
    if (h == n_.z - 1) values(h, image, out);
  }
}

// Gradient and mean of the blocks of row x of plane h.
void HalfStrip::blocks(std::int64_t h, std::int64_t x, const SlabSmoother& image,
                       const HalfPlanes& out) {
  const Size3& n = image.size();
  BlockRows in;
  in.scale_z = 0.5F / options_.dz * image.norm();
  in.scale_x = 0.5F / options_.dx * image.norm();
  in.scale_y = 0.5F / options_.dy * image.norm();
  in.share = 0.125F * image.norm();
  in.count = n_.y;
  for (std::int64_t dz = 0; dz < 4; ++dz) {
    const std::int64_t pz = std::clamp<std::int64_t>(2 * h - 1 + dz, 0, n.z - 1);
    for (std::int64_t dx = 0; dx < 4; ++dx) {
      const std::int64_t px = std::clamp<std::int64_t>(2 * x - 1 + dx, 0, n.x - 1);
      in.rows[dz][dx] = image.row(pz, px);
    }
  }
  in.gradient = x >= begin_ && x < end_ ? out.gradient.row(h, x) : nullptr;
  in.mean = options_.smoothed ? means_.row(h, x) : values_.row(h, x) + border_.y;
  conversion_kernels().blocks(in);
}

// The intensity of plane h, and what follows from it.
void HalfStrip::values(std::int64_t h, const SlabSmoother& image, const HalfPlanes& out) {
  const ConversionKernels& kernels = conversion_kernels();
  if (options_.smoothed) {
    const auto [below, above] = neighbours(h, n_.z);
    for (std::int64_t x = mean_begin_; x < mean_end_; ++x) {
      kernels.weigh(means_.row(below, x), means_.row(h, x), means_.row(above, x), first_.row(0, x),
                    n_.y);
    }
  }
  for (std::int64_t x = value_begin_; x < value_end_; ++x) {
    float* const row = values_.row(h, x) + border_.y;
    if (options_.smoothed) {
      const auto [before, after] = neighbours(x, n_.x);
      float* const line = first_.row(0, mean_end_);
      kernels.weigh(first_.row(0, before), first_.row(0, x), first_.row(0, after), line, n_.y);
      line[-1] = line[n_.y > 1 ? 1 : 0];
      line[n_.y] = line[n_.y > 1 ? n_.y - 2 : 0];
      kernels.weigh(line - 1, line, line + 1, row, n_.y);
    }
    for (std::int64_t k = 1; k <= border_.y; ++k) {
      row[-k] = row[k];
      row[n_.y - 1 + k] = row[n_.y - 1 - k];
    }
  }
  emit_intensity(h, image.offset(), out);
  if (!options_.windows.any()) return;
  inner(h);
  deviations(h, out);
}

void HalfStrip::emit_intensity(std::int64_t h, float offset, const HalfPlanes& out) {
  for (std::int64_t x = begin_; x < end_; ++x) {
    const float* const row = values_.row(h, x) + border_.y;
    if (!sums_.empty()) {
      RowSum sum{0.0, row[0]};
      for (std::int64_t y = 0; y < n_.y; ++y) {
        sum.sum += static_cast<double>(row[y]);
        sum.least = std::min(sum.least, row[y]);
      }
      sums_[static_cast<std::size_t>(h * (end_ - begin_) + x - begin_)] = sum;
    }
    const bool whole = options_.whole;
    const auto grey = [=](float v) {
      const float shown = v + offset;
      return whole ? std::nearbyint(shown) : shown;
    };
    if (out.intensity.base != nullptr) {
      float* const to = out.intensity.row(h, x);
#pragma omp simd
      for (std::int64_t y = 0; y < n_.y; ++y) to[y] = grey(row[y]);
    }
    if (options_.mask) {
      // The gradient is far away by now, and as a rule no voxel is left out.
      const float least = *options_.mask;
      std::int32_t left_out = 0;
#pragma omp simd reduction(| : left_out)
      for (std::int64_t y = 0; y < n_.y; ++y) left_out |= grey(row[y]) > least ? 0 : 1;
      if (left_out == 0) continue;
      masked_ = true;
      float* const gradient = out.gradient.row(h, x);
#pragma omp simd
      for (std::int64_t y = 0; y < n_.y; ++y) {
        gradient[y] = grey(row[y]) > least ? gradient[y] : -1.0F;
      }
    }
  }
}

// Inner box of plane h along y and x.
void HalfStrip::inner(std::int64_t h) {
  const ConversionKernels& kernels = conversion_kernels();
  const auto& window = options_.windows.window;
  for (std::int64_t x = value_begin_; x < value_end_; ++x) {
    kernels.box(values_.row(h, x), first_.row(0, x), p_.y, window[2].inner);
  }
  for (std::int64_t px = begin_; px < end_ + 2 * border_.x; ++px) {
    const Cut cut(px, p_.x, window[1].inner);
    RowList rows{};
    for (std::int64_t k = cut.begin; k < cut.end; ++k) {
      rows[static_cast<std::size_t>(k - cut.begin)] = first_.row(0, line(k));
    }
    kernels.sum_rows(rows.data(), cut.end - cut.begin, cut.share(), inner_.row(h, px), p_.y);
  }
}

// Makes all slices of deviations for which the planes up to h suffice.
void HalfStrip::deviations(std::int64_t h, const HalfPlanes& out) {
  for (; next_deviation_ < p_.z; ++next_deviation_) {
    const Cut cut(next_deviation_, p_.z, options_.windows.window[0].inner);
    for (std::int64_t k = cut.begin; k < cut.end; ++k) {
      if (slice(k) > h) return;
    }
    deviation(next_deviation_, out);
  }
}

// Slice pz of the deviations, its outer box, and the scale that can be made with it.
void HalfStrip::deviation(std::int64_t pz, const HalfPlanes& out) {
  const ConversionKernels& kernels = conversion_kernels();
  const auto& window = options_.windows.window;
  const Cut cut(pz, p_.z, window[0].inner);
  RowList rows{};
  float* const row = first_.row(0, mean_end_);
  for (std::int64_t px = begin_; px < end_ + 2 * border_.x; ++px) {
    for (std::int64_t k = cut.begin; k < cut.end; ++k) {
      rows[static_cast<std::size_t>(k - cut.begin)] = inner_.row(slice(k), px);
    }
    kernels.deviation(values_.row(slice(pz), line(px)), rows.data(), cut.end - cut.begin,
                      cut.share(), row, p_.y);
    kernels.box(row, second_.row(0, px), p_.y, window[2].outer);
  }
  // Borders are as wide as the outer windows, so that no window inside the image is cut.
  const std::int64_t count_x = 2 * border_.x + 1;
  for (std::int64_t x = begin_; x < end_; ++x) {
    for (std::int64_t k = 0; k < count_x; ++k) {
      rows[static_cast<std::size_t>(k)] = second_.row(0, x + k) + border_.y;
    }
    kernels.sum_rows(rows.data(), count_x, 1.0F / static_cast<float>(count_x), outer_.row(pz, x),
                     n_.y);
  }
  const std::int64_t z = pz - 2 * border_.z;
  if (z < 0) return;
  const std::int64_t count_z = 2 * border_.z + 1;
  for (std::int64_t x = begin_; x < end_; ++x) {
    for (std::int64_t k = 0; k < count_z; ++k) {
      rows[static_cast<std::size_t>(k)] = outer_.row(z + k, x);
    }
    kernels.sum_rows(rows.data(), count_z, options_.windows.factor / static_cast<float>(count_z),
                     out.scale.row(z, x), n_.y);
  }
}

}  // namespace aprscope
