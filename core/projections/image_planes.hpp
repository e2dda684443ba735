#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/image/line_transforms.hpp"
#include "core/projections/insertion_kernels.hpp"
#include "core/projections/insertion_plan.hpp"

namespace aprscope {

/// Images with the same of it have the same window.
struct WindowKey {
  float scale = 1.0F;
  /// Index in InsertionPlan::optics of a magnified group; −1: not magnified.
  std::int32_t optics = -1;
  friend bool operator==(const WindowKey&, const WindowKey&) = default;
  friend bool operator<(const WindowKey& a, const WindowKey& b) {
    return std::tie(a.scale, a.optics) < std::tie(b.scale, b.optics);
  }
};
WindowKey window_key(const InsertionPlan& plan, const ImageTerms& terms);

/// The window that images are multiplied with, side² values: see ImageTerms.
std::vector<float> image_window(const InsertionPlan& plan, const WindowKey& key);

/// Makes planes of texels of images, as ImageTerms says. Any number of threads may use one, each
/// with scratch of its own.
class ImagePlanes {
 public:
  struct Scratch {
    AlignedVector<float> rows, line, a, b;
    std::vector<float> ramps;
    // Factors of an envelope that is not aligned with the axes.
    std::vector<float> cross;
  };

  static Result<ImagePlanes> create(const InsertionPlan& plan);

  [[nodiscard]] const TexelPlane& plane() const { return plane_; }
  [[nodiscard]] Scratch scratch() const;
  /// Prepares the window of images with these terms; not thread-safe.
  void add_window(const ImageTerms& terms);
  /// `image` has side² values, `texels` plane().floats.
  void prepare(const float* image, const ImageTerms& terms, float* texels, Scratch& scratch) const;

 private:
  ImagePlanes(const InsertionPlan& plan, LineTransforms lines);

  // Where the pixel at offset d from the centre lies in a row or column of the padded image.
  [[nodiscard]] std::int64_t place(std::int64_t d) const { return d < 0 ? d + padded_ : d; }
  [[nodiscard]] const GroupOptics* optics_of(const ImageTerms& terms) const {
    return terms.optics < 0 ? nullptr : &plan_.optics[static_cast<std::size_t>(terms.optics)];
  }
  void fill_cross(double skew, std::int64_t first, float* cross) const;
  void weigh(const std::vector<float>& weights, float* texels) const;
  void continue_beyond(float* texels) const;

  LineTransforms lines_;
  InsertionPlan plan_;
  std::int64_t side_, padded_;
  TexelPlane plane_;
  std::map<WindowKey, std::vector<float>> windows_;
};

}  // namespace aprscope
