#include <algorithm>
#include <memory>
#include <vector>

#include "core/image/channel_blend.hpp"
#include "core/image/histogram.hpp"
#include "gpu/bench/benchmark.hpp"
#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/octet/octet_order.hpp"
#include "gpu/octet/octet_raycast.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/particle_filter.hpp"
#include "gpu/pixel/pixel_filter_plan.hpp"

namespace aprscope {
namespace {

using gpu::device_of;
using gpu::DeviceBuffer;
using gpu::ensure;
using gpu::GpuDevice;
using gpu::measure;
using gpu::OctetApr;
using gpu::OctetConvolution;
using gpu::OctetValues;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

struct Case {
  std::string name;
  Stencil stencil;
};

// A stencil whose weights all differ and that is not separable.
Stencil ramp(std::int64_t n) {
  Stencil s{{n, n, n}, std::vector<double>(static_cast<std::size_t>(n * n * n)), "ramp"};
  const auto count = static_cast<double>(s.weights.size());
  for (std::size_t i = 0; i < s.weights.size(); ++i) {
    s.weights[i] = 2.0 * static_cast<double>(i + 1) / (count * (count + 1.0));
  }
  return s;
}

class Bench {
 public:
  Bench(std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access,
        std::span<const float> values, int repeats)
      : device_(std::move(device)),
        access_(std::move(access)),
        apr_(access_, device_),
        repeats_(repeats),
        in_(apr_.make_values()),
        out_(apr_.make_values()),
        linear_(values.size(), "particles", device_->main()) {
    device_->upload(values.data(), linear_.data(), values.size_bytes());
    gpu::to_octets(apr_.view(), linear_.data(), in_.data(), device_->main());
  }

  std::vector<GpuTiming> run(std::span<const float> values) {
    structure();
    add("upload", measure(*device_, repeats_, [&] { apr_.upload(values, in_); }),
        values.size_bytes());
    add("to_octets",
        measure(*device_, repeats_,
                [&] { gpu::to_octets(apr_.view(), linear_.data(), in_.data(), device_->main()); }),
        values.size_bytes() * 2);
    add("tree_fill", measure(*device_, repeats_, [&] { apr_.fill_tree(in_, Reduction::mean); }),
        values.size_bytes() + access_->tree().count() * sizeof(float));
    const Case cases[] = {{"3x3x3", ramp(3)},
                          {"5x5x5", ramp(5)},
                          {"13x13x13 separable", gaussian_stencil({2, 2, 2}, {13, 13, 13})},
                          {"13x13x13 dense", ramp(13)}};
    for (const Case& c : cases) {
      convolution(c, StencilMode::same, "same");
      if (c.name != "13x13x13 dense") convolution(c, StencilMode::restricted, "restricted");
    }
    raycast(values);
    reconstruction();
    pixels(cases);
    return std::move(timings_);
  }

 private:
  void add(const std::string& op, GpuTiming timing, std::uint64_t moved, const Case* c = nullptr,
           const char* mode = "-", std::uint64_t products = 0) {
    timing.op = op;
    timing.moved = moved;
    timing.mode = mode;
    if (c != nullptr) {
      timing.stencil = c->name;
      timing.products = products * access_->count();
    }
    timings_.push_back(std::move(timing));
  }

  // Times building the structure from a linear access that is on the device already.
  void structure() {
    const auto y = device_->upload(access_->particles().y(), "APR structure");
    const auto xz_end = device_->upload(access_->particles().xz_end(), "APR structure");
    gpu::LinearSource source = gpu::describe_access(*access_);
    source.y = y.data();
    source.xz_end = xz_end.data();
    add("structure",
        measure(*device_, repeats_, [&] { gpu::OctetStructure(source, device_->main()); }),
        y.bytes() + xz_end.bytes());
  }

  void convolution(const Case& c, StencilMode mode, const char* mode_name) {
    const auto pyramid = StencilPyramid::create(c.stencil, mode, false, access_->level_max());
    if (!pyramid) throw gpu::Failure{pyramid.error()};
    const std::uint64_t least = access_->count() * 10 + access_->tree().count() * 4;
    // Products for one particle. Not known for other modes: their coarser levels need fewer.
    const Size3& n = c.stencil.size;
    std::uint64_t products = 0;
    if (mode == StencilMode::same) {
      products = static_cast<std::uint64_t>(separate(c.stencil) ? n.z + n.x + n.y : n.count());
    }
    const OctetConvolution convolve(apr_, *pyramid, Boundary::zero);
    gpu::Target target;
    target.out = out_.data();
    add("tree+convolve", measure(*device_, repeats_, [&] { convolve.run(in_, target); }), least, &c,
        mode_name, products);
    const OctetConvolution reflecting(apr_, *pyramid, Boundary::reflect);
    add("tree+convolve reflect", measure(*device_, repeats_, [&] { reflecting.run(in_, target); }),
        least, &c, mode_name, products);
    FilterPlan plan;
    plan.stencils = {c.stencil};
    plan.mode = mode;
    add("filter",
        measure(*device_, repeats_,
                [&] { gpu::run_plan(plan, access_->level_max(), 0, apr_, in_, out_); }),
        least, &c, mode_name, products);
  }

  // On the host, as views want them. Each run turns the camera on, so that no picture is like the
  // one before.
  void raycast(std::span<const float> values) {
    const gpu::OctetRaycaster raycaster(apr_, in_, {});
    constexpr int kSide = 1024;
    double angle = 0.0;
    add("mip_picture_1024",
        measure(*device_, repeats_,
                [&] {
                  angle += 17.0;
                  const RayCamera camera =
                      orbit_camera(access_->size(), {}, angle, 0.5 * angle, 1.0);
                  (void)raycaster.render(camera, kSide, kSide, access_->level_max());
                }),
        0);
    const Translucency matter{automatic_contrast(histogram(values)),
                              kUsualDepth * mean_side(access_->size(), {})};
    add("translucent_picture_1024",
        measure(*device_, repeats_,
                [&] {
                  angle += 17.0;
                  const RayCamera camera =
                      orbit_camera(access_->size(), {}, angle, 0.5 * angle, 1.0);
                  (void)raycaster.translucent(camera, kSide, kSide, matter);
                }),
        0);
    // As large as a view among four in a window, as a view that fills it, and as the picture above.
    composite("composite_of_4_345x345", 345, 345);
    composite("composite_of_4_900x700", 900, 700);
    composite("composite_of_4_1024", kSide, kSide);
  }

  // Four channels over each other, each with values of its own in memory, and their colours.
  void composite(const char* name, int width, int height) {
    std::vector<std::unique_ptr<gpu::OctetRaycaster>> channels;
    for (int c = 0; c < 4; ++c) {
      channels.push_back(std::make_unique<gpu::OctetRaycaster>(apr_, in_, VoxelSize{}));
    }
    double angle = 0.0;
    add(name,
        measure(
            *device_, repeats_,
            [&] {
              angle += 17.0;
              const RayCamera camera = orbit_camera(access_->size(), {}, angle, 0.5 * angle, 1.0);
              std::vector<RayImage> pictures;
              std::vector<ChannelLayer> layers;
              for (const auto& channel : channels) {
                pictures.push_back(channel->render(camera, width, height, access_->level_max()));
              }
              for (std::size_t c = 0; c < pictures.size(); ++c) {
                layers.push_back(
                    {pictures[c].values, {0.0, 1000.0, 1.0}, channel_colour("channel", c)});
              }
              (void)blend_channels(layers, pictures[0].values.size());
            }),
        0);
  }

  void reconstruction() {
    const Size3& n = access_->size();
    const gpu::Int3 size{static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
    const auto count = static_cast<std::uint64_t>(n.count());
    // Particles of images that are too large for the device are filtered, but not painted.
    if (count * sizeof(float) > gpu::device_memory().free) return;
    const DeviceBuffer<float> image(count, "pixels", device_->main());
    const std::pair<const char*, gpu::Reconstruct> modes[] = {
        {"constant", gpu::Reconstruct::constant}, {"smooth", gpu::Reconstruct::smooth}};
    for (const auto& item : modes) {
      const gpu::Reconstruct mode = item.second;
      add("reconstruct",
          measure(*device_, repeats_,
                  [&] {
                    gpu::reconstruct(apr_.view(), in_.data(), mode, {0, 0, 0}, size, image.data(),
                                     device_->main());
                  }),
          count * 4, nullptr, item.first);
    }
  }

  // Times the same stencils on the pixels of the reconstruction, for comparison.
  void pixels(std::span<const Case> cases) {
    const Size3& n = access_->size();
    const auto count = static_cast<std::uint64_t>(n.count());
    // Skipped for images too large for the device.
    if (3 * count * sizeof(float) > gpu::device_memory().free / 2) return;
    const DeviceBuffer<float> image(count, "pixels", device_->main());
    const DeviceBuffer<float> out(count, "pixels", device_->main());
    const DeviceBuffer<float> spare(count, "pixels", device_->main());
    gpu::PixelImage pixels;
    pixels.values = image.data();
    pixels.size = {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
    pixels.whole_z = pixels.size.z;
    gpu::reconstruct(apr_.view(), in_.data(), gpu::Reconstruct::constant, {0, 0, 0}, pixels.size,
                     image.data(), device_->main());
    for (const Case& c : cases) {
      const gpu::PixelCorrelation correlation(c.stencil, *device_);
      GpuTiming timing =
          measure(*device_, repeats_, [&] { correlation.run(pixels, out.data(), spare.data()); });
      const auto factors = separate(c.stencil);
      const Size3& s = c.stencil.size;
      timing.op = "pixels";
      timing.stencil = c.name;
      timing.mode = "-";
      timing.moved = count * 2 * sizeof(float);
      timing.products = count * static_cast<std::uint64_t>(factors ? s.z + s.x + s.y : s.count());
      timings_.push_back(std::move(timing));
    }
  }

  std::shared_ptr<GpuDevice> device_;
  std::shared_ptr<const AprAccess> access_;
  OctetApr apr_;
  int repeats_;
  OctetValues in_, out_;
  DeviceBuffer<float> linear_;
  std::vector<GpuTiming> timings_;
};

}  // namespace

Result<GpuFacts> gpu_facts(const std::string& id) {
  const auto device = device_of(id);
  if (!device) return device.error();
  const std::lock_guard turn((*device)->turn());
  return gpu::guarded([&]() -> Result<GpuFacts> {
    (*device)->use();
    GpuFacts facts;
    facts.name = (*device)->name();
    facts.multiprocessors = (*device)->multiprocessors();
    const auto ask = [&](cudaDeviceAttr what) {
      int value = 0;
      ensure(cudaDeviceGetAttribute(&value, what, (*device)->index()), "asking what the GPU is");
      return value;
    };
    facts.core_clock_mhz = ask(cudaDevAttrClockRate) / 1e3;
    facts.memory_clock_mhz = ask(cudaDevAttrMemoryClockRate) / 1e3;
    // Floating-point units of a multiprocessor, by compute capability.
    const int major = ask(cudaDevAttrComputeCapabilityMajor);
    const int minor = ask(cudaDevAttrComputeCapabilityMinor);
    const int units = major < 8 || (major == 8 && minor == 0) ? 64 : 128;
    facts.multiply_adds_per_second = facts.core_clock_mhz * 1e6 * units * facts.multiprocessors;
    int version = 0;
    ensure(cudaDriverGetVersion(&version), "asking for the driver");
    facts.driver = version_text(version);
    ensure(cudaRuntimeGetVersion(&version), "asking for the runtime");
    facts.runtime = version_text(version);
    // A copy far larger than any cache, so that memory is measured and not the cache.
    const std::uint64_t bytes = std::uint64_t{1} << 30U;
    const DeviceBuffer<char> from(bytes, "copy rate", (*device)->main());
    const DeviceBuffer<char> to(bytes, "copy rate", (*device)->main());
    from.zero();
    const GpuTiming copy = measure(**device, 20, [&] {
      ensure(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                             (*device)->main()),
             "copying");
    });
    facts.copy_bytes_per_second = 2.0 * static_cast<double>(bytes) / copy.median;
    return facts;
  });
}

Result<std::vector<GpuTiming>> gpu_benchmark(const std::string& id,
                                             const std::shared_ptr<const AprAccess>& access,
                                             std::span<const float> values, int repeats) {
  const auto device = device_of(id);
  if (!device) return device.error();
  const std::lock_guard turn((*device)->turn());
  return gpu::guarded([&]() -> Result<std::vector<GpuTiming>> {
    (*device)->use();
    return Bench(*device, access, values, repeats).run(values);
  });
}

}  // namespace aprscope
