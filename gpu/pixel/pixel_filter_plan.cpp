#include "gpu/pixel/pixel_filter_plan.hpp"

#include <algorithm>
#include <array>

#include "core/base/system.hpp"
#include "gpu/octet/octet_arithmetic.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kPixels = "pixels on the GPU";
// Buffers on the device: the input, the result, and two for passes or for components.
constexpr std::uint64_t kBuffers = 4;

Int3 half(const Size3& n) {
  return {static_cast<int>(n.z / 2), static_cast<int>(n.x / 2), static_cast<int>(n.y / 2)};
}

class PixelPlan {
 public:
  PixelPlan(const FilterPlan& plan, GpuDevice& device) : plan_(plan), device_(device) {
    if (statistic()) {
      radius_ = half(plan.size);
      return;
    }
    FilterPlan convolution = plan;
    if (plan.kind == FilterPlan::Kind::statistic)
      convolution.stencils = {wide_box_stencil(plan.size)};
    // Pixels are the finest level of a pyramid, so stencils are changed in the same way as there.
    const auto pyramids = pyramids_of(convolution, 1);
    if (!pyramids) throw Failure{pyramids.error()};
    for (const StencilPyramid& pyramid : *pyramids) {
      correlations_.emplace_back(pyramid.at(1), device);
      radius_.z = std::max(radius_.z, correlations_.back().radius().z);
    }
  }

  // The number of slices on either side that a result depends on.
  [[nodiscard]] std::int64_t reach() const { return radius_.z; }

  // All buffers have the size of the image; the result is in `out`.
  void run(const PixelImage& image, float* out, float* spare, float* more) const {
    const cudaStream_t stream = device_.main();
    if (statistic()) {
      const Statistic which = plan_.statistic == LocalStatistic::median ? Statistic::median
                              : plan_.statistic == LocalStatistic::min  ? Statistic::min
                              : plan_.statistic == LocalStatistic::max  ? Statistic::max
                                                                        : Statistic::deviation;
      pixel_statistic(image, which, radius_, out, stream);
      return;
    }
    if (correlations_.size() == 1) {
      correlations_.front().run(image, out, spare);
      return;
    }
    const std::uint64_t count =
        (static_cast<std::uint64_t>(image.size.z) * static_cast<std::uint64_t>(image.size.x) *
             static_cast<std::uint64_t>(image.size.y) +
         3) /
        4 * 4;
    ensure(cudaMemsetAsync(out, 0, count * sizeof(float), stream), kPixels);
    for (const PixelCorrelation& component : correlations_) {
      component.run(image, more, spare);
      add_square(out, more, out, count, stream);
    }
    square_root(out, out, count, stream);
  }

 private:
  [[nodiscard]] bool statistic() const {
    return plan_.kind == FilterPlan::Kind::statistic && plan_.statistic != LocalStatistic::mean;
  }
  const FilterPlan& plan_;
  GpuDevice& device_;
  Int3 radius_;
  std::vector<PixelCorrelation> correlations_;
};

}  // namespace

PixelCorrelation::PixelCorrelation(const Stencil& stencil, GpuDevice& device)
    : stream_(device.main()), radius_(half(stencil.size)) {
  const auto upload = [&](const std::vector<double>& from) {
    // The kernels read up to 16 weights beyond the last one, which must be 0.
    std::vector<float> values(from.begin(), from.end());
    values.resize(values.size() + 16, 0.0F);
    return device.upload(std::span<const float>(values), "stencil");
  };
  // Three passes are not worth it for few weights.
  const auto factors = separate(stencil);
  separable_ = factors && stencil.size.count() > 27;
  if (separable_) {
    for (std::size_t a = 0; a < 3; ++a) weights_[a] = upload((*factors)[a]);
  } else {
    weights_[0] = upload(stencil.weights);
  }
}

void PixelCorrelation::run(const PixelImage& image, float* out, float* spare) const {
  if (!separable_) {
    pixel_correlation(image, weights_[0].data(), radius_, out, stream_);
    return;
  }
  PixelImage next = image;
  pixel_pass(image, 2, weights_[2].data(), 2 * radius_.y + 1, out, stream_);
  next.values = out;
  pixel_pass(next, 1, weights_[1].data(), 2 * radius_.x + 1, spare, stream_);
  next.values = spare;
  pixel_pass(next, 0, weights_[0].data(), 2 * radius_.z + 1, out, stream_);
}

std::uint64_t pixel_filter_bytes(const Size3& size) {
  return kBuffers * static_cast<std::uint64_t>(size.count()) * sizeof(float);
}

Status filter_pixels(const FilterPlan& plan, const Pixels<float>& image, const std::string& name,
                     GpuDevice& device, std::span<float> out, const JobContext& context) {
  const PixelPlan filter(plan, device);
  const Size3& n = image.size;
  const auto plane = static_cast<std::uint64_t>(n.x * n.y);
  const DeviceMemory memory = device_memory();
  const auto room =
      static_cast<std::int64_t>(memory.free / (kBuffers * plane * sizeof(float) + 64));
  const std::int64_t needed = std::min(n.z, 2 * filter.reach() + 1);
  if (room < needed) {
    return Error{
        "even " + std::to_string(needed) + " slices need about " +
            format_bytes(kBuffers * plane * sizeof(float) * static_cast<std::uint64_t>(needed)) +
            " of GPU memory, but only " + format_bytes(memory.free) + " of " +
            format_bytes(memory.total) + " are free on " + device.name(),
        name, "use --device cpu or smaller data"};
  }
  const std::int64_t held = std::min(n.z, room);
  const auto count = (static_cast<std::uint64_t>(held) * plane + 3) / 4 * 4;
  std::array<DeviceBuffer<float>, kBuffers> buffers;
  for (auto& buffer : buffers) buffer = {count, kPixels, device.main()};
  const std::int64_t step = held == n.z ? n.z : held - 2 * filter.reach();
  for (std::int64_t z = 0; z < n.z; z += step) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(z) / static_cast<double>(n.z), "filter");
    const std::int64_t end = std::min(n.z, z + step);
    const std::int64_t first = std::max<std::int64_t>(z - filter.reach(), 0);
    const std::int64_t last = std::min(n.z, end + filter.reach());
    PixelImage part;
    part.values = buffers[0].data();
    part.size = {static_cast<int>(last - first), static_cast<int>(n.x), static_cast<int>(n.y)};
    part.first_slice = static_cast<int>(first);
    part.whole_z = static_cast<int>(n.z);
    part.reflect = plan.boundary == Boundary::reflect;
    const auto offset = [&](std::int64_t slice) {
      return static_cast<std::uint64_t>(slice) * plane;
    };
    device.upload(image.values.data() + offset(first), buffers[0].data(),
                  offset(last - first) * sizeof(float));
    filter.run(part, buffers[1].data(), buffers[2].data(), buffers[3].data());
    device.download(buffers[1].data() + offset(z - first), out.data() + offset(z),
                    offset(end - z) * sizeof(float));
  }
  context.report(1.0, "filter");
  return {};
}

}  // namespace aprscope::gpu
