#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/fft.hpp"
#include "core/image/line_transforms.hpp"
#include "core/projections/insertion_plan.hpp"
#include "core/projections/orientation.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

/// What an image is multiplied with: nothing, its CTF, the CTF again where that was done
/// afterwards, or the CTF with its signs flipped.
enum class CtfTimes { none, once, twice, flipped };

/// An image's pixel beside a voxel of the map.
double pixel_scale(const ProjectionTable& table, const Projection& row);

/// The spectrum of a padded map, and how planes of it become images.
class MapProjector {
 public:
  struct Scratch {
    std::vector<std::complex<float>> plane;
    AlignedVector<float> rows, line, a, b;
  };

  /// Of groups that are magnified or have another pixel size than the map, by their number.
  using Windows = std::map<std::int32_t, std::vector<float>>;

  /// Of side³ voxels. Errors: no memory, cancelled.
  static Result<std::unique_ptr<MapProjector>> create(std::span<const float> map, std::int64_t side,
                                                      double padding, const Blob& blob,
                                                      const JobContext& context);

  [[nodiscard]] Windows windows_of(const ProjectionTable& table, const InsertionPlan& plan) const;

  [[nodiscard]] std::uint64_t bytes() const { return spectrum_.size() * sizeof(float); }

  [[nodiscard]] Scratch scratch() const;

  /// `to_plane`: from frequencies of the map to those of the image, and the distance from its
  /// plane. `group`: null, or what the microscope does beside the CTF. `window`: of a group that
  /// has one.
  void project(const Rotation& to_plane, const ImageTerms& terms, const GroupOptics* group,
               CtfTimes times, const std::vector<float>* window, float* image, Scratch& s) const;

 private:
  MapProjector(std::int64_t side, std::int64_t padded, const Blob& blob, LineTransforms lines);

  [[nodiscard]] std::int64_t place(std::int64_t k) const { return k < 0 ? k + padded_ : k; }

  Status transform(std::span<const float> map, Fft3& fft, const JobContext& context);

  // Every voxel of the half ball within the slab, into the four pixels round its place; those of
  // the plane x = 0, of which both members of a pair are met, count half: see pair().
  // Of a magnified image some are beyond its frequencies.
  void add_voxels(const Rotation& rotation, bool stretched, std::complex<float>* plane) const;

  [[nodiscard]] bool is_within(double qx, double qy) const {
    const auto most = static_cast<double>(centre_ - 2);
    return std::abs(qx) < most && std::abs(qy) < most;
  }

  void add_voxel(std::complex<float>* plane, double qx, double qy, double qz, const float* value,
                 float share) const {
    const float k = share * slab_(static_cast<float>(qz));
    const double ix = std::floor(qx);
    const double iy = std::floor(qy);
    const auto tx = static_cast<float>(qx - ix);
    const auto ty = static_cast<float>(qy - iy);
    const std::complex<float> v(k * value[0], k * value[1]);
    std::complex<float>* const at = plane + (static_cast<std::int64_t>(iy) + centre_) * width_ +
                                    static_cast<std::int64_t>(ix) + centre_;
    at[0] += (1.0F - tx) * (1.0F - ty) * v;
    at[1] += tx * (1.0F - ty) * v;
    at[width_] += (1.0F - tx) * ty * v;
    at[width_ + 1] += tx * ty * v;
  }

  // The plane with the conjugates of the half of the ball that is not stored. Frequencies beyond
  // the transform's are dropped: nothing but rounding is there.
  [[nodiscard]] std::complex<float> pair(const std::vector<std::complex<float>>& plane,
                                         std::int64_t x, std::int64_t y) const {
    const auto at = static_cast<std::size_t>((y + centre_) * width_ + x + centre_);
    const auto opposite = static_cast<std::size_t>((centre_ - y) * width_ + centre_ - x);
    return plane[at] + std::conj(plane[opposite]);
  }

  std::int64_t side_, padded_, reach_;
  std::int64_t centre_, width_;  // of a plane
  Blob blob_;
  SlabKernel slab_;
  LineTransforms lines_;
  float scale_;
  std::vector<float> window_;
  std::int64_t row_ = 0;
  AlignedVector<float> spectrum_;
};

}  // namespace aprscope
