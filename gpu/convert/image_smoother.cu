#include <algorithm>
#include <vector>

#include "gpu/convert/image_smoother.hpp"
#include "gpu/convert/line_filters.hpp"

// Compiled without fusing: every fused multiply–add that the CPU's kernels have is written out.
namespace aprscope::gpu {
namespace {

constexpr int kSlices = static_cast<int>(SmootherPlan::kSlices);
constexpr int kThreads = 256;

unsigned blocks(std::int64_t items, std::int64_t each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

// An image in the types that kernels use.
template <class T>
struct Image {
  const T* base;
  int slots;
  int origin;  // see ring_slot()
  int nz;
  std::int64_t plane;
  __device__ float sample(int z, std::int64_t at) const {
    return static_cast<float>(base[std::int64_t{ring_slot(z, origin, slots)} * plane + at]);
  }
};

__device__ int mirrored(int k, int n) {
  if (k >= 0 && k < n) return k;
  if (n == 1) return 0;
  const int period = 2 * n - 2;
  k %= period;
  if (k < 0) k += period;
  return k < n ? k : period - k;
}

template <class T>
__global__ void first_sample(const T* image, float* seen) {
  seen[0] = static_cast<float>(image[0]);
  seen[1] = 0.0F;
}

// Results of the causal recursion for the slice before the first, as its starting value.
template <class T>
__global__ void start_state(Image<T> image, const float* seen, const int* slices,
                            const float* first, const float* second, int count, float* state) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= image.plane) return;
  const float offset = seen[0];
  float a = 0.0F;
  float b = 0.0F;
  for (int t = 0; t < count; ++t) {
    const float x = image.sample(slices[t], at) - offset;
    a = fmaf(first[t], x, a);
    b = fmaf(second[t], x, b);
  }
  state[at] = a;
  state[image.plane + at] = b;
}

// Weighted sums over kSlices slices from first_slice + kSlices · blockIdx.y on.
template <class T>
__global__ void __launch_bounds__(kThreads)
    sum_groups(Image<T> image, const float* seen, const float* __restrict__ weights,
               int first_slice, int first_group, int group_slots, float* groups) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= image.plane) return;
  const int begin = first_slice + kSlices * static_cast<int>(blockIdx.y);
  const float offset = seen[0];
  float x[kSlices];
#pragma unroll
  for (int k = 0; k < kSlices; ++k) x[k] = image.sample(mirrored(begin + k, image.nz), at) - offset;
  float a = 0.0F;
  float b = 0.0F;
#pragma unroll
  for (int k = 0; k < kSlices; ++k) {
    a = fmaf(weights[k], x[k], a);
    b = fmaf(weights[kSlices + k], x[k], b);
  }
  const int slot = (first_group + static_cast<int>(blockIdx.y)) % group_slots;
  groups[std::int64_t{2 * slot} * image.plane + at] = a;
  groups[std::int64_t{2 * slot + 1} * image.plane + at] = b;
}

struct ZJob {
  float feed1, feed2;
  int begin, end;  // slices of the slab
  int first_end;   // of its first block
  int first_group;
  int group_slots;
  int pairs;
  int out_slots;
  int out_origin;
  float state_matrix[4];
};

// Both recursions along z of one column of pixels through a slab.
template <class T>
__global__ void __launch_bounds__(kThreads)
    filter_z(Image<T> image, ZJob job, const float* __restrict__ pair_matrices,
             const float* __restrict__ groups, float* state, float* out, float* seen) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  float largest = 0.0F;
  if (at < image.plane) {
    const float offset = seen[0];
    const float f1 = job.feed1;
    const float f2 = job.feed2;
    float c1 = state[at];
    float c2 = state[image.plane + at];
    int group = job.first_group % job.group_slots;
    for (int begin = job.begin, end = job.first_end; begin < job.end;
         begin = end, end = min(end + kSlices, job.end)) {
      float c[kSlices];
#pragma unroll
      for (int k = 0; k < kSlices; ++k) {
        c[k] = begin + k < end ? image.sample(begin + k, at) - offset : 0.0F;
      }
#pragma unroll
      for (int k = 0; k < kSlices; ++k) {
        if (begin + k >= end) continue;
        largest = fmaxf(largest, fabsf(c[k]));
        c[k] = fmaf(f1, c1, fmaf(f2, c2, c[k]));
        c2 = c1;
        c1 = c[k];
      }
      float a1 = 0.0F;
      float a2 = 0.0F;
      const auto add = [&](float m0, float m1, float m2, float m3, float first, float second) {
        a1 = fmaf(m0, first, a1);
        a1 = fmaf(m1, second, a1);
        a2 = fmaf(m2, first, a2);
        a2 = fmaf(m3, second, a2);
      };
      add(job.state_matrix[0], job.state_matrix[1], job.state_matrix[2], job.state_matrix[3], c1,
          c2);
      int slot = group;
      for (int m = 0; m < job.pairs; ++m) {
        const float* const pair = groups + std::int64_t{2 * slot} * image.plane + at;
        const float* const w = pair_matrices + 4 * m;
        add(w[0], w[1], w[2], w[3], pair[0], pair[image.plane]);
        if (++slot == job.group_slots) slot = 0;
      }
      if (++group == job.group_slots) group = 0;
#pragma unroll
      for (int k = kSlices - 1; k >= 0; --k) {
        if (begin + k >= end) continue;
        const float v = fmaf(f1, a1, fmaf(f2, a2, c[k]));
        out[std::int64_t{ring_slot(begin + k, job.out_origin, job.out_slots)} * image.plane + at] =
            v;
        a2 = a1;
        a1 = v;
      }
    }
    state[at] = c1;
    state[image.plane + at] = c2;
  }
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0U, largest, d));
  // The bits of non-negative floats have the same order as their values, so atomicMax() works.
  if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(seen) + 1, __float_as_int(largest));
}

// Copies samples unchanged, for images that are not filtered along z.
template <class T>
__global__ void __launch_bounds__(kThreads)
    copy_slices(Image<T> image, int begin, int out_slots, float* out, float* seen) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int z = begin + static_cast<int>(blockIdx.y);
  float x = 0.0F;
  if (at < image.plane) {
    x = image.sample(z, at) - seen[0];
    out[std::int64_t{z % out_slots} * image.plane + at] = x;
  }
  float largest = fabsf(x);
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0U, largest, d));
  if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(seen) + 1, __float_as_int(largest));
}

// Lists of weights, one after the other in one buffer.
class Packed {
 public:
  int add(const std::vector<float>& values) {
    const auto at = static_cast<int>(all_.size());
    all_.insert(all_.end(), values.begin(), values.end());
    return at;
  }
  [[nodiscard]] const std::vector<float>& all() const { return all_; }

 private:
  std::vector<float> all_;
};

// Where each list of weights begins, in the order that they are packed in.
struct Offsets {
  explicit Offsets(const SmootherPlan& p) {
    before_first = packed.add(p.before.first);
    before_second = packed.add(p.before.second);
    group = packed.add(p.first_weights);
    packed.add(p.second_weights);
    pair = packed.add(p.pair_matrices);
    x = packed.add(p.x.first);
    packed.add(p.x.second);
    packed.add(p.x.last);
    packed.add(p.x.before_last);
    y = packed.add(p.y.first);
    packed.add(p.y.second);
    packed.add(p.y.last);
    packed.add(p.y.before_last);
  }
  Packed packed;
  int before_first, before_second, group, pair, x, y;
};

LineWeights line_weights(const SplineFilter& f, const float* packed) {
  const auto count = [](const std::vector<float>& v) { return static_cast<int>(v.size()); };
  LineWeights out;
  out.feed1 = f.feed1;
  out.feed2 = f.feed2;
  out.first = packed;
  out.second = out.first + f.first.size();
  out.last = out.second + f.second.size();
  out.before_last = out.last + f.last.size();
  out.first_count = count(f.first);
  out.second_count = count(f.second);
  out.last_count = count(f.last);
  out.before_last_count = count(f.before_last);
  return out;
}

int ring_slots(const SmootherPlan& plan, int slab_blocks) {
  return static_cast<int>(std::min<std::int64_t>(plan.size.z, slab_blocks * kSlices + 3));
}

int group_slots(const SmootherPlan& plan, int slab_blocks) {
  return slab_blocks + 2 * static_cast<int>(plan.pairs) + 1;
}

}  // namespace

ImageSmoother::ImageSmoother(const SmootherPlan& plan, SampleKind kind, int slab_blocks,
                             cudaStream_t stream)
    : plan_(plan),
      kind_(kind),
      stream_(stream),
      slots_(ring_slots(plan, slab_blocks)),
      group_slots_(group_slots(plan, slab_blocks)) {
  const char* const what = "smoothing on the GPU";
  const auto plane = static_cast<std::uint64_t>(plan.size.x * plan.size.y);
  ring_ = {static_cast<std::uint64_t>(slots_) * plane, what, stream};
  seen_ = {2, what, stream};
  const Offsets at(plan);
  const std::vector<float>& weights = at.packed.all();
  weights_ = {weights.size(), what, stream};
  const auto copy = [&](const auto& from, const auto& to) {
    ensure(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice, stream),
           what);
  };
  if (!weights.empty()) copy(weights, weights_);
  if (!plan.filters_z) return;
  state_ = {2 * plane, what, stream};
  groups_ = {2 * static_cast<std::uint64_t>(group_slots_) * plane, what, stream};
  const std::vector<int> slices(plan.before.slice.begin(), plan.before.slice.end());
  tap_slices_ = {slices.size(), what, stream};
  copy(slices, tap_slices_);
}

template <class T>
void ImageSmoother::along_z(int begin, int end, const T* image, int image_slots) {
  const auto at = [&](int block) -> const SmootherPlan::Block& {
    return plan_.blocks[static_cast<std::size_t>(block)];
  };
  const std::int64_t plane = plan_.size.x * plan_.size.y;
  const int first_slice = static_cast<int>(at(begin).begin);
  const Image<T> in{image, image_slots, first_slice / image_slots * image_slots,
                    static_cast<int>(plan_.size.z), plane};
  const int end_slice = static_cast<int>(at(end - 1).end);
  const unsigned columns = blocks(plane, kThreads);
  if (begin == 0) first_sample<<<1, 1, 0, stream_>>>(image, seen_.data());
  if (!plan_.filters_z) {
    const dim3 grid(columns, static_cast<unsigned>(end_slice - first_slice));
    copy_slices<<<grid, kThreads, 0, stream_>>>(in, first_slice, slots_, ring_.data(),
                                                seen_.data());
    return;
  }
  const Offsets offset(plan_);
  const float* const w = weights_.data();
  if (begin == 0) {
    start_state<<<columns, kThreads, 0, stream_>>>(
        in, seen_.data(), tap_slices_.data(), w + offset.before_first, w + offset.before_second,
        static_cast<int>(plan_.before.slice.size()), state_.data());
  }
  const auto groups = [&](std::int64_t from_slice, int first, int count) {
    if (count <= 0) return;
    sum_groups<<<dim3(columns, static_cast<unsigned>(count)), kThreads, 0, stream_>>>(
        in, seen_.data(), w + offset.group, static_cast<int>(from_slice), first, group_slots_,
        groups_.data());
  };
  const int pairs = static_cast<int>(plan_.pairs);
  ZJob job;
  job.feed1 = plan_.z.feed1;
  job.feed2 = plan_.z.feed2;
  job.group_slots = group_slots_;
  job.pairs = pairs;
  job.out_slots = slots_;
  std::copy_n(plan_.state_matrix.data(), 4, job.state_matrix);
  const auto filter = [&](int from, int to, int first_group) {
    if (from == to) return;
    job.begin = static_cast<int>(at(from).begin);
    job.first_end = static_cast<int>(at(from).end);
    job.end = static_cast<int>(at(to - 1).end);
    job.first_group = first_group;
    job.out_origin = job.begin / slots_ * slots_;
    filter_z<<<columns, kThreads, 0, stream_>>>(in, job, w + offset.pair, groups_.data(),
                                                state_.data(), ring_.data(), seen_.data());
  };
  // Group j begins where block j ends; the pairs behind block j are groups j … j + pairs − 1. What
  // lies behind the last block, which may be shorter, is summed for it alone.
  const int count = static_cast<int>(plan_.blocks.size());
  const int whole = std::min(end, count - 1);
  if (begin < whole) {
    const int needed = whole - 1 + pairs;
    groups(at(0).end + std::int64_t{kSlices} * groups_made_, groups_made_, needed - groups_made_);
    groups_made_ = std::max(groups_made_, needed);
    filter(begin, whole, begin);
  }
  if (end == count) {
    groups(plan_.size.z, groups_made_, pairs);
    filter(count - 1, count, groups_made_);
  }
}

void ImageSmoother::run(int begin, int end, const SliceRing& image) {
  with_samples(kind_, [&](auto sample) {
    using T = decltype(sample);
    along_z(begin, end, static_cast<const T*>(image.base), image.slots);
  });
  const int first = static_cast<int>(plan_.blocks[static_cast<std::size_t>(begin)].begin);
  const int count = static_cast<int>(plan_.blocks[static_cast<std::size_t>(end - 1)].end) - first;
  const Lines lines{ring_.data(),
                    first,
                    count,
                    slots_,
                    static_cast<int>(plan_.size.x),
                    static_cast<int>(plan_.size.y)};
  const Offsets offset(plan_);
  const float* const w = weights_.data();
  if (plan_.filters_y) filter_lines_y(lines, line_weights(plan_.y, w + offset.y), stream_);
  if (plan_.filters_x) filter_lines_x(lines, line_weights(plan_.x, w + offset.x), stream_);
  ensure_launched("smoothing");
}

std::uint64_t ImageSmoother::estimate_bytes(const SmootherPlan& plan, int slab_blocks) {
  const auto plane = static_cast<std::uint64_t>(plan.size.x * plan.size.y) * sizeof(float);
  std::uint64_t planes = static_cast<std::uint64_t>(ring_slots(plan, slab_blocks));
  if (plan.filters_z) {
    planes += 2 + 2 * static_cast<std::uint64_t>(group_slots(plan, slab_blocks));
  }
  return planes * plane;
}

}  // namespace aprscope::gpu
