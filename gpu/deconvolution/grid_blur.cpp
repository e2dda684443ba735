#include "gpu/deconvolution/grid_blur.hpp"

#include <algorithm>
#include <complex>
#include <string>

#include "core/deconvolution/blur/cosine_spectrum.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kGridBlur = "Fourier transform on the GPU";

Int3 narrow(const Size3& n) {
  return {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
}

std::string text(const Size3& n) {
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

// Uploads an array. Waits for the copy, so that the caller may free the host's array.
template <class T, class From>
DeviceBuffer<T> uploaded(const std::vector<From>& from, cudaStream_t stream) {
  static_assert(sizeof(T) == sizeof(From));
  DeviceBuffer<T> to(from.size(), kGridBlur, stream);
  ensure(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice, stream),
         kGridBlur);
  ensure(cudaStreamSynchronize(stream), kGridBlur);
  return to;
}

}  // namespace

Size3 PaddedGrid::padded_size(const Size3& size, const Size3& kernel, Beyond beyond, int beside) {
  const auto needed = [&](std::int64_t n, std::int64_t k) {
    const std::int64_t radius = k / 2 + beside;
    return std::max(n + (beyond == Beyond::zero ? radius : 2 * radius), k);
  };
  // Rows of a plan have two pixels at least.
  return FftPlan::good_size({needed(size.z, kernel.z), needed(size.x, kernel.x),
                             std::max<std::int64_t>(needed(size.y, kernel.y), 2)});
}

std::uint64_t PaddedGrid::estimate_bytes(const Size3& size, const Size3& kernel, Beyond beyond,
                                         int beside) {
  const Size3 padded = padded_size(size, kernel, beyond, beside);
  return 2 * FftPlan::buffer_count(padded) * sizeof(float) + FftPlan::estimate_bytes(padded) +
         static_cast<std::uint64_t>(kernel.count()) * sizeof(float);
}

PaddedGrid::PaddedGrid(const Size3& size, const Stencil& kernel, Beyond beyond, int beside,
                       cudaStream_t stream)
    : beyond_(beyond),
      stream_(stream),
      plan_(padded_size(size, kernel.size, beyond, beside), stream),
      real_(is_even(kernel)),
      buffer_(plan_.buffer_count(), kGridBlur, stream),
      spectrum_(real_ ? complexes() : 2 * complexes(), kGridBlur, stream),
      view_{buffer_.data(), narrow(size), narrow(plan_.size()), static_cast<int>(plan_.row()),
            false} {
  const std::vector<float> weights(kernel.weights.begin(), kernel.weights.end());
  const auto on_device = uploaded<float>(weights, stream);
  buffer_.zero();
  place_kernel(view_, on_device.data(), narrow(kernel.size), stream);
  plan_.forward(buffer_.data());
  // A forward and an inverse transform together multiply by the number of pixels.
  const auto scale = static_cast<float>(1.0 / static_cast<double>(plan_.size().count()));
  keep_spectrum(buffer_.data(), complexes(), real_, scale, spectrum_.data(), stream);
}

void PaddedGrid::transform(bool flip) const {
  plan_.forward(buffer_.data());
  multiply_spectrum(buffer_.data(), spectrum_.data(), complexes(), real_, flip, stream_);
  plan_.inverse(buffer_.data());
}

void PaddedGrid::run(bool flip) const {
  extend_padded(view_, beyond_, stream_);
  transform(flip);
}

void PaddedGrid::run(const float* image, bool flip, float* out) const {
  load_padded(view_, beyond_, image, stream_);
  transform(flip);
  store_cells(view_, out, stream_);
}

std::string PaddedGrid::description() const {
  const Int3& n = view_.size;
  return text({n.z, n.x, n.y}) + ", padded to " + text(plan_.size());
}

std::uint64_t FoldedGrid::estimate_bytes(const Size3& size, const Size3& kernel) {
  const Size3 taps{kernel.z / 2 + 1, kernel.x / 2 + 1, kernel.y / 2 + 1};
  // Memory of the buffer, the factors, and the sums that the factors are computed from.
  return 2 * FftPlan::buffer_count(size) * sizeof(float) + FftPlan::estimate_bytes(size) +
         static_cast<std::uint64_t>(taps.count() + taps.z * taps.x * size.y +
                                    taps.z * size.x * size.y) *
             sizeof(double);
}

FoldedGrid::FoldedGrid(const Size3& size, const Stencil& kernel, cudaStream_t stream)
    : stream_(stream),
      plan_(size, stream),
      buffer_(plan_.buffer_count(), kGridBlur, stream),
      factors_(plan_.buffer_count() / 2, kGridBlur, stream),
      turn_z_(uploaded<float2>(cosine_turns(size.z, size.z), stream)),
      turn_x_(uploaded<float2>(cosine_turns(size.x, size.x), stream)),
      turn_y_(uploaded<float2>(cosine_turns(size.y, size.y / 2 + 1), stream)),
      view_{buffer_.data(), narrow(size), narrow(size), static_cast<int>(plan_.row()), true} {
  // The buffer is larger than its pixels: each row has room for its spectrum behind them.
  buffer_.zero();
  set_kernel(kernel);
}

void FoldedGrid::set_kernel(const Stencil& kernel) {
  const CosineKernel from = cosine_kernel(kernel);
  const Size3& taps = from.taps;
  const Size3& n = plan_.size();
  const auto weights = uploaded<double>(from.weights, stream_);
  const auto table = [&](std::int64_t length) {
    return uploaded<double>(cosine_table(length), stream_);
  };
  const auto count = [](std::int64_t values) { return static_cast<std::uint64_t>(values); };
  const auto cosines_y = table(n.y);
  const auto cosines_x = table(n.x);
  const auto cosines_z = table(n.z);
  const DeviceBuffer<double> along_y(count(taps.z * taps.x * n.y), kGridBlur, stream_);
  sum_cosines(weights.data(), taps.z * taps.x, static_cast<int>(taps.y), 1, static_cast<int>(n.y),
              cosines_y.data(), along_y.data(), stream_);
  const DeviceBuffer<double> along_x(count(taps.z * n.x * n.y), kGridBlur, stream_);
  sum_cosines(along_y.data(), taps.z, static_cast<int>(taps.x), n.y, static_cast<int>(n.x),
              cosines_x.data(), along_x.data(), stream_);
  const double scale = 1.0 / static_cast<double>(n.count());
  cosine_factors(along_x.data(), static_cast<int>(taps.z), narrow(n), cosines_z.data(), scale,
                 factors_.data(), stream_);
}

// `flip` has no effect: a kernel that is even along each axis is its own flipped one.
void FoldedGrid::run(bool /*flip*/) const {
  plan_.forward(buffer_.data());
  multiply_cosines(view_, factors_.data(), {turn_z_.data(), turn_x_.data(), turn_y_.data()},
                   stream_);
  plan_.inverse(buffer_.data());
}

void FoldedGrid::run(const float* image, bool flip, float* out) const {
  load_cells(view_, image, stream_);
  run(flip);
  store_cells(view_, out, stream_);
}

std::string FoldedGrid::description() const { return text(plan_.size()) + ", mirrored"; }

namespace {

bool can_fold(const Size3& size, bool even, Boundary boundary) {
  return even && boundary == Boundary::reflect && size.y >= 2;
}
Beyond beyond_of(Boundary boundary) {
  return boundary == Boundary::reflect ? Beyond::about_face : Beyond::zero;
}

}  // namespace

std::unique_ptr<GridBlur> make_grid_blur(const Size3& size, const Stencil& kernel,
                                         Boundary boundary, int beside, cudaStream_t stream) {
  if (can_fold(size, is_even(kernel), boundary)) {
    return std::make_unique<FoldedGrid>(size, kernel, stream);
  }
  return std::make_unique<PaddedGrid>(size, kernel, beyond_of(boundary), beside, stream);
}

std::uint64_t grid_blur_bytes(const Size3& size, const Size3& kernel, bool even, Boundary boundary,
                              int beside) {
  return can_fold(size, even, boundary)
             ? FoldedGrid::estimate_bytes(size, kernel)
             : PaddedGrid::estimate_bytes(size, kernel, beyond_of(boundary), beside);
}

}  // namespace aprscope::gpu
