#pragma once

#include <optional>
#include <vector>

#include "core/apr/convert/local_scale.hpp"
#include "core/apr/convert/slab_smoother.hpp"

namespace aprscope {

/// Size of the half grid: ceil(n / 2) in each dimension.
Size3 half_size(const Size3& size);

/// The last `slots` planes of a grid that is made plane by plane; all of them if there are as many.
struct PlaneRing {
  float* base = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t slots = 1;
  [[nodiscard]] float* row(std::int64_t z, std::int64_t x) const {
    return base + ((z % slots) * rows + x) * cols;
  }
};

/// The results on the half grid that follow from spline coefficients, plane by plane.
struct HalfPlanes {
  PlaneRing gradient;
  PlaneRing scale;
  /// Its `base` may be null: then the intensity is not kept.
  PlaneRing intensity;
};

struct HalfOptions {
  Size3 half;
  ScaleWindows windows;
  float dz = 1.0F, dx = 1.0F, dy = 1.0F;
  /// The mean of the coefficients is smoothed to spline values.
  bool smoothed = false;
  /// The intensity is rounded to whole grey values.
  bool whole = false;
  /// Where the intensity is at or below this, the gradient becomes −1.
  std::optional<float> mask;
};

/// Options without a mask.
HalfOptions half_options(const Size3& size, SampleKind kind, const ConversionParameters& p);

/// Makes rows [begin, end) of the planes of the half grid in ascending order: gradient, intensity
/// and, some planes later, the local scale. Holds the few planes that the windows reach over. What
/// it makes does not depend on how rows are shared out among strips.
class HalfStrip {
 public:
  /// Throws std::bad_alloc.
  HalfStrip(const HalfOptions& options, std::int64_t begin, std::int64_t end);

  /// Makes planes [begin, end) of the gradient, at most those of a block, and what can be made with
  /// them.
  void push(std::int64_t begin, std::int64_t end, const SlabSmoother& image, const HalfPlanes& out);

  /// Planes that the intensity (mask) and the scale are behind the gradient.
  static std::int64_t intensity_lag(const HalfOptions& options) { return options.smoothed ? 1 : 0; }
  static std::int64_t scale_lag(const HalfOptions& options);

  /// Planes of the half grid that the strips of an image hold together; rows that two strips keep
  /// count once.
  static std::int64_t planes_held(const HalfOptions& options);

  /// Whether the mask has left out any voxel so far.
  [[nodiscard]] bool masked() const { return masked_; }

  /// Sum of all intensities (less the offset) of a row of the strip, and the least one.
  struct RowSum {
    double sum = 0.0;
    float least = 0.0F;
  };
  /// The sums of plane h at [h · rows + row] once its intensity is made. Only without windows.
  [[nodiscard]] const std::vector<RowSum>& sums() const { return sums_; }

 private:
  // Planes of rows in a ring.
  class Rows {
   public:
    Rows() = default;
    Rows(std::int64_t slots, std::int64_t begin, std::int64_t end, std::int64_t pitch)
        : slots_(slots),
          begin_(begin),
          count_(end - begin),
          pitch_(pitch),
          values_(slots * (end - begin) * pitch + kPad) {}
    float* row(std::int64_t plane, std::int64_t x) {
      return values_.data() + ((plane % slots_) * count_ + x - begin_) * pitch_ + kPad;
    }

   private:
    std::int64_t slots_ = 1, begin_ = 0, count_ = 0, pitch_ = 0;
    Scratch<float> values_;
  };

  void blocks(std::int64_t h, std::int64_t x, const SlabSmoother& image, const HalfPlanes& out);
  void values(std::int64_t h, const SlabSmoother& image, const HalfPlanes& out);
  void emit_intensity(std::int64_t h, float offset, const HalfPlanes& out);
  void inner(std::int64_t h);
  void deviations(std::int64_t h, const HalfPlanes& out);
  void deviation(std::int64_t pz, const HalfPlanes& out);

  // Slice, row of the image that slice pz, row px of the mirrored image shows.
  [[nodiscard]] std::int64_t slice(std::int64_t pz) const {
    return mirrored_sample(pz - border_.z, n_.z);
  }
  [[nodiscard]] std::int64_t line(std::int64_t px) const {
    return mirrored_sample(px - border_.x, n_.x);
  }

  HalfOptions options_;
  Size3 n_;
  std::int64_t begin_, end_;
  Size3 border_{0, 0, 0};
  // Size of the mirrored image.
  Size3 p_;
  // Rows of intensities and of means that the strip needs.
  std::int64_t value_begin_ = 0, value_end_ = 0, mean_begin_ = 0, mean_end_ = 0;
  std::int64_t next_deviation_ = 0;
  bool masked_ = false;
  Rows means_, values_, inner_, outer_;
  // Scratch of one plane each.
  Rows first_, second_;
  std::vector<RowSum> sums_;
};

}  // namespace aprscope
