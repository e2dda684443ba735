#include <cuda/std/limits>

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_raycast.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kTile = 8;  // pixels of a block, 8 × 8: neighbouring rays meet the same cells
constexpr double kInfinity = cuda::std::numeric_limits<double>::infinity();

// A ray in pixel coordinates z, x, y, and the range where it is inside the volume. Sums and
// products are not fused, so that rays hit exactly the cells that they hit on the CPU.
struct Ray {
  double o[3];
  double d[3];
  double inverse[3];
  double t0;
  double t1;
};

__device__ void set_ray(const RayView& view, double row, double col, Ray& ray) {
  const double u = __dmul_rn(col - view.left, view.pixel);
  const double v = __dmul_rn(view.top - row, view.pixel);
  double direction[3];
  for (int a = 0; a < 3; ++a) {
    const double offset = __dadd_rn(__dmul_rn(u, view.right[a]), __dmul_rn(v, view.up[a]));
    const double from = view.perspective ? view.eye[a] : __dadd_rn(view.eye[a], offset);
    const double along = view.perspective ? __dadd_rn(view.forward[a], offset) : view.forward[a];
    ray.o[2 - a] = from / view.steps[a];
    direction[2 - a] = along / view.steps[a];
  }
  const double length = sqrt(__dadd_rn(
      __dadd_rn(__dmul_rn(direction[0], direction[0]), __dmul_rn(direction[1], direction[1])),
      __dmul_rn(direction[2], direction[2])));
  for (int a = 0; a < 3; ++a) {
    ray.d[a] = direction[a] / length;
    if (fabs(ray.d[a]) < 1e-12) ray.d[a] = 0.0;
    ray.inverse[a] = ray.d[a] == 0.0 ? 0.0 : 1.0 / ray.d[a];
  }
}

// The range of a ray between two planes of an axis.
struct Span {
  double begin;
  double end;
};
__device__ Span between(const Ray& ray, int axis, int low, int high) {
  if (ray.d[axis] == 0.0) {
    return ray.o[axis] >= low && ray.o[axis] < high ? Span{-kInfinity, kInfinity}
                                                    : Span{kInfinity, -kInfinity};
  }
  const double a = __dmul_rn(low - ray.o[axis], ray.inverse[axis]);
  const double b = __dmul_rn(high - ray.o[axis], ray.inverse[axis]);
  return a < b ? Span{a, b} : Span{b, a};
}

// The children of an octet that the ray crosses and whose maximum is above `best`.
__device__ unsigned crossed(const Ray& ray, Int3 octet, int side, const float (&value)[8],
                            float best) {
  Span span[3][2];
  const int low[3] = {octet.z * 2 * side, octet.x * 2 * side, octet.y * 2 * side};
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    span[a][0] = between(ray, a, low[a], low[a] + side);
    span[a][1] = between(ray, a, low[a] + side, low[a] + 2 * side);
  }
  unsigned found = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    if (!(value[c] > best)) continue;
    const Span& z = span[0][c >> 2];
    const Span& x = span[1][c >> 1 & 1];
    const Span& y = span[2][c & 1];
    const double begin = fmax(fmax(ray.t0, z.begin), fmax(x.begin, y.begin));
    const double end = fmin(fmin(ray.t1, z.end), fmin(x.end, y.end));
    if (begin < end) found |= 1U << c;
  }
  return found;
}

__device__ void load(const float* maxima, std::uint32_t octet, float (&value)[8]) {
  const float4* const p = reinterpret_cast<const float4*>(maxima + std::uint64_t{octet} * 8);
  const float4 a = p[0];
  const float4 b = p[1];
  value[0] = a.x;
  value[1] = a.y;
  value[2] = a.z;
  value[3] = a.w;
  value[4] = b.x;
  value[5] = b.y;
  value[6] = b.z;
  value[7] = b.w;
}

// Descends into the child with the largest maximum first: the value found rules out most others.
__device__ float cast(const OctetView& v, const float* maxima, const Ray& ray, int finest) {
  float best = -cuda::std::numeric_limits<float>::infinity();
  std::uint32_t octets[kMaxLevels];
  std::uint8_t pending[kMaxLevels];
  int level = 1;
  Int3 at{0, 0, 0};
  octets[1] = find_octet(v, 1, 0, 0, 0);
  bool arrived = true;
  float value[8];
  while (level >= 1) {
    load(maxima, octets[level], value);
    unsigned left;
    if (arrived) {
      const std::uint32_t info = v.info[octets[level]];
      left = crossed(ray, at, 1 << (v.level_max - level), value, best);
      const unsigned final = level >= finest ? 255U : info_leaves(info);
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        if ((left & final) >> c & 1U) best = fmaxf(best, value[c]);
      }
      left &= ~final;
    } else {
      left = pending[level];
    }
    int next = -1;
    float largest = best;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      if ((left >> c & 1U) != 0 && value[c] > largest) {
        largest = value[c];
        next = c;
      }
    }
    if (next < 0) {
      --level;
      at = {at.z >> 1, at.x >> 1, at.y >> 1};
      arrived = false;
      continue;
    }
    pending[level] = static_cast<std::uint8_t>(left & ~(1U << next));
    at = {2 * at.z + (next >> 2), 2 * at.x + (next >> 1 & 1), 2 * at.y + (next & 1)};
    ++level;
    octets[level] = find_octet(v, level, at.z, at.x, at.y);
    arrived = true;
  }
  return best;
}

// The light that a ray collects from the front to the back, as detail::RayLight does.
__device__ float shine(const OctetView& v, const float* maxima, const Ray& ray,
                       const detail::RayMatter& matter, double per_t) {
  const int corner = (ray.d[0] < 0.0 ? 4 : 0) | (ray.d[1] < 0.0 ? 2 : 0) | (ray.d[2] < 0.0 ? 1 : 0);
  std::uint32_t octets[kMaxLevels];
  std::uint8_t pending[kMaxLevels];
  int level = 1;
  Int3 at{0, 0, 0};
  octets[1] = find_octet(v, 1, 0, 0, 0);
  bool arrived = true;
  float brightness = 0.0F;
  float through = 1.0F;
  while (level >= 1) {
    const int side = 1 << (v.level_max - level);
    if (arrived) {
      float value[8];
      load(maxima, octets[level], value);
      pending[level] = static_cast<std::uint8_t>(crossed(ray, at, side, value, matter.floor));
    }
    unsigned left = pending[level];
    const unsigned leaves = level >= v.level_max ? 255U : info_leaves(v.info[octets[level]]);
    int next = -1;
    for (int k = 0; k < 8 && left != 0; ++k) {
      const int c = k ^ corner;
      if ((left >> c & 1U) == 0) continue;
      left &= ~(1U << c);
      const Int3 cell{2 * at.z + (c >> 2), 2 * at.x + (c >> 1 & 1), 2 * at.y + (c & 1)};
      if ((leaves >> c & 1U) == 0) {
        next = c;
        break;
      }
      const Span z = between(ray, 0, cell.z * side, (cell.z + 1) * side);
      const Span x = between(ray, 1, cell.x * side, (cell.x + 1) * side);
      const Span y = between(ray, 2, cell.y * side, (cell.y + 1) * side);
      const double begin = fmax(fmax(ray.t0, z.begin), fmax(x.begin, y.begin));
      const double end = fmin(fmin(ray.t1, z.end), fmin(x.end, y.end));
      if (!(begin < end)) continue;
      const float value = maxima[std::uint64_t{octets[level]} * 8 + static_cast<unsigned>(c)];
      const float share = fminf((value - matter.low) * matter.inverse_range, 1.0F);
      const float above = fmaxf((share - detail::kFog) / (1.0F - detail::kFog), 0.0F);
      const float dense = matter.gamma == 1.0F ? above : powf(above, matter.gamma);
      const float passed = expf(-dense * static_cast<float>((end - begin) * per_t));
      brightness += share * through * (1.0F - passed);
      through *= passed;
      if (through <= detail::kDark) return brightness;
    }
    if (next < 0) {
      --level;
      at = {at.z >> 1, at.x >> 1, at.y >> 1};
      arrived = false;
      continue;
    }
    pending[level] = static_cast<std::uint8_t>(left);
    at = {2 * at.z + (next >> 2), 2 * at.x + (next >> 1 & 1), 2 * at.y + (next & 1)};
    ++level;
    octets[level] = find_octet(v, level, at.z, at.x, at.y);
    arrived = true;
  }
  return brightness;
}

__device__ double length_of_step(const RayView& view, const Ray& ray) {
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) {
    sum += ray.d[2 - a] * view.steps[a] * ray.d[2 - a] * view.steps[a];
  }
  return sqrt(sum);
}

template <bool translucent>
__global__ void __launch_bounds__(kTile* kTile)
    render(const __grid_constant__ OctetView v, const float* maxima,
           const __grid_constant__ RayView view, const __grid_constant__ detail::RayMatter matter,
           float* image) {
  const int col = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  if (col >= view.width || row >= view.height) return;
  Ray ray;
  // Parallel rays share the direction of the middle, as on the CPU.
  set_ray(view, view.top, view.left, ray);
  const Ray middle = ray;
  set_ray(view, row + 0.5, col + 0.5, ray);
  if (!view.perspective) {
    for (int a = 0; a < 3; ++a) {
      ray.d[a] = middle.d[a];
      ray.inverse[a] = middle.inverse[a];
    }
  }
  ray.t0 = view.perspective ? 0.0 : -kInfinity;
  ray.t1 = kInfinity;
  const int low[3] = {view.low.z, view.low.x, view.low.y};
  const int high[3] = {view.high.z, view.high.x, view.high.y};
  for (int a = 0; a < 3; ++a) {
    const Span span = between(ray, a, low[a], high[a]);
    ray.t0 = fmax(ray.t0, span.begin);
    ray.t1 = fmin(ray.t1, span.end);
  }
  float best = -cuda::std::numeric_limits<float>::infinity();
  if (ray.t0 < ray.t1 && isfinite(ray.t0) && isfinite(ray.t1)) {
    if constexpr (translucent) {
      const double per_t = length_of_step(view, ray) * matter.per_length;
      best = matter.low + shine(v, maxima, ray, matter, per_t) * matter.range;
    } else {
      best = cast(v, maxima, ray, view.finest_level);
    }
  }
  image[std::int64_t{row} * view.width + col] =
      isinf(best) && best < 0.0F ? cuda::std::numeric_limits<float>::quiet_NaN() : best;
}

}  // namespace

void cast_rays(const OctetView& v, const float* maxima, const RayView& view,
               const std::optional<detail::RayMatter>& matter, float* image, cudaStream_t stream) {
  const dim3 grid((static_cast<unsigned>(view.width) + kTile - 1) / kTile,
                  (static_cast<unsigned>(view.height) + kTile - 1) / kTile);
  const dim3 tile(kTile, kTile);
  if (matter) {
    render<true><<<grid, tile, 0, stream>>>(v, maxima, view, *matter, image);
  } else {
    render<false><<<grid, tile, 0, stream>>>(v, maxima, view, {}, image);
  }
  ensure_launched("casting rays");
}

}  // namespace aprscope::gpu
