#pragma once

#include "core/apr/convert/local_scale.hpp"
#include "gpu/convert/image_slices.hpp"

// Planes of the half grid, and the local scale on them.
namespace aprscope::gpu {

constexpr int kThreads = 128;

inline unsigned blocks_for(std::int64_t items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}
inline dim3 planes_grid(const GridSize& n, std::int64_t planes) {
  return {blocks_for(n.y), static_cast<unsigned>(n.x), static_cast<unsigned>(planes)};
}

/// A ring of planes.
struct Planes {
  float* base;
  int slots;
  int rows;
  int cols;
  int origin = 0;  // see ring_slot()
  __device__ float* row(int z, int x) const {
    return base + (std::int64_t{ring_slot(z, origin, slots)} * rows + x) * cols;
  }
  /// The same ring, with the origin for slots near plane `z`.
  [[nodiscard]] Planes near(std::int64_t z) const {
    Planes out = *this;
    out.origin = static_cast<int>(z) / slots * slots;
    return out;
  }
};

/// Windows of the local scale; the mirrored image is larger than the half grid by `border` on
/// either side.
struct ScaleJob {
  GridSize n, border, mirrored;
  ScaleWindow z, x, y;
  int first;
  float share;
};

/// Inner means along y and x of `planes` planes from job.first on.
void make_inner_means(const Planes& values, const ScaleJob& job, std::int64_t planes,
                      const Planes& inner, cudaStream_t stream);
/// |I − inner mean| of slices of the mirrored image, and their outer means along y and x.
void make_deviations(const Planes& values, const Planes& inner, const ScaleJob& job,
                     std::int64_t planes, const Planes& deviation, const Planes& outer,
                     cudaStream_t stream);
/// The scale from the outer means, `job.share` times their sums along z.
void make_scales(const Planes& outer, const ScaleJob& job, std::int64_t planes, float* scale,
                 cudaStream_t stream);

}  // namespace aprscope::gpu
