#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/image/line_transforms.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/insertion_kernels.hpp"

namespace aprscope {

/// Makes planes of texels of images, as ImageTerms says. Any number of threads may use one, each
/// with scratch of its own.
class ImagePlanes {
 public:
  struct Scratch {
    AlignedVector<float> rows, line, a, b;
    std::vector<float> ramps;
  };

  static Result<ImagePlanes> create(const InsertionPlan& plan);

  [[nodiscard]] const TexelPlane& plane() const { return plane_; }
  [[nodiscard]] Scratch scratch() const;
  /// Makes ready for images of a scale; not from several threads.
  void add_scale(float scale);
  /// `image` has side² values, `texels` plane().floats.
  void prepare(const float* image, const ImageTerms& terms, float* texels, Scratch& scratch) const;

 private:
  ImagePlanes(const InsertionPlan& plan, LineTransforms lines);

  // Of the padded image, where the pixel at offset d from the centre lies.
  [[nodiscard]] std::int64_t place(std::int64_t d) const { return d < 0 ? d + padded_ : d; }
  void continue_beyond(float* texels) const;

  LineTransforms lines_;
  std::int64_t side_, padded_;
  int mode_;
  bool windowed_;
  Blob blob_;
  TexelPlane plane_;
  std::map<float, std::vector<float>> windows_;  // side² values each
};

}  // namespace aprscope
