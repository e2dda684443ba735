#include "gpu/convert/local_scale.cuh"
#include "gpu/device/cuda_check.hpp"

// Compiled without fusing: every fused multiply–add that the CPU's kernels have is written out.
namespace aprscope::gpu {
namespace {

struct Cut {
  int begin, end;
  __device__ Cut(int i, int n, int half) : begin(max(i - half, 0)), end(min(i + half + 1, n)) {}
  __device__ float share() const { return 1.0F / static_cast<float>(end - begin); }
};

// Inner means along y and x of plane h.
__global__ void __launch_bounds__(kThreads) make_inner(Planes values, ScaleJob job, Planes inner) {
  const int py = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (py >= job.mirrored.y) return;
  const int px = static_cast<int>(blockIdx.y);
  const int h = job.first + static_cast<int>(blockIdx.z);
  const Cut along_y(py, job.mirrored.y, job.y.inner);
  const bool whole = along_y.end - along_y.begin == 2 * job.y.inner + 1;
  const float part = 1.0F / static_cast<float>(2 * job.y.inner + 1);
  const Cut along_x(px, job.mirrored.x, job.x.inner);
  float sum = 0.0F;
  for (int i = along_x.begin; i < along_x.end; ++i) {
    const float* const row = values.row(h, mirrored_once(i - job.border.x, job.n.x));
    float mean = 0.0F;
    for (int k = along_y.begin; k < along_y.end; ++k) {
      mean += row[mirrored_once(k - job.border.y, job.n.y)];
    }
    mean = whole ? mean * part : mean / static_cast<float>(along_y.end - along_y.begin);
    sum += mean;
  }
  inner.row(h, px)[py] = sum * along_x.share();
}

// |I − inner mean| in slice pz of the mirrored image.
__global__ void __launch_bounds__(kThreads)
    make_deviation(Planes values, Planes inner, ScaleJob job, Planes deviation) {
  const int py = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (py >= job.mirrored.y) return;
  const int px = static_cast<int>(blockIdx.y);
  const int pz = job.first + static_cast<int>(blockIdx.z);
  const Cut along_z(pz, job.mirrored.z, job.z.inner);
  float sum = 0.0F;
  for (int k = along_z.begin; k < along_z.end; ++k) {
    sum += inner.row(mirrored_once(k - job.border.z, job.n.z), px)[py];
  }
  const float value = values.row(
      mirrored_once(pz - job.border.z, job.n.z),
      mirrored_once(px - job.border.x, job.n.x))[mirrored_once(py - job.border.y, job.n.y)];
  deviation.row(pz, px)[py] = fabsf(fmaf(-sum, along_z.share(), value));
}

// Outer means along y and x. The mirrored image is large enough that no window is cut off.
__global__ void __launch_bounds__(kThreads)
    make_outer(Planes deviation, ScaleJob job, Planes outer) {
  const int y = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (y >= job.n.y) return;
  const int x = static_cast<int>(blockIdx.y);
  const int pz = job.first + static_cast<int>(blockIdx.z);
  const float part = 1.0F / static_cast<float>(2 * job.y.outer + 1);
  float sum = 0.0F;
  for (int i = 0; i <= 2 * job.border.x; ++i) {
    const float* const row = deviation.row(pz, x + i) + y;
    float mean = 0.0F;
    for (int k = 0; k <= 2 * job.border.y; ++k) mean += row[k];
    sum += mean * part;
  }
  outer.row(pz, x)[y] = sum * (1.0F / static_cast<float>(2 * job.border.x + 1));
}

__global__ void __launch_bounds__(kThreads) make_scale(Planes outer, ScaleJob job, float* scale) {
  const int y = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (y >= job.n.y) return;
  const int x = static_cast<int>(blockIdx.y);
  const int z = job.first + static_cast<int>(blockIdx.z);
  float sum = 0.0F;
  for (int k = 0; k <= 2 * job.border.z; ++k) sum += outer.row(z + k, x)[y];
  scale[(std::int64_t{z} * job.n.x + x) * job.n.y + y] = sum * job.share;
}

}  // namespace

void make_inner_means(const Planes& values, const ScaleJob& job, std::int64_t planes,
                      const Planes& inner, cudaStream_t stream) {
  make_inner<<<planes_grid(job.mirrored, planes), kThreads, 0, stream>>>(
      values.near(job.first), job, inner.near(job.first));
  ensure_launched("local scale");
}

void make_deviations(const Planes& values, const Planes& inner, const ScaleJob& job,
                     std::int64_t planes, const Planes& deviation, const Planes& outer,
                     cudaStream_t stream) {
  make_deviation<<<planes_grid(job.mirrored, planes), kThreads, 0, stream>>>(
      values.near(job.first), inner.near(job.first), job, deviation.near(job.first));
  make_outer<<<planes_grid(job.n, planes), kThreads, 0, stream>>>(deviation.near(job.first), job,
                                                                  outer.near(job.first));
  ensure_launched("local scale");
}

void make_scales(const Planes& outer, const ScaleJob& job, std::int64_t planes, float* scale,
                 cudaStream_t stream) {
  make_scale<<<planes_grid(job.n, planes), kThreads, 0, stream>>>(outer.near(job.first), job,
                                                                  scale);
  ensure_launched("local scale");
}

}  // namespace aprscope::gpu
