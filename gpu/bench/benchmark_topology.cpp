#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/parallel.hpp"
#include "gpu/bench/benchmark_read.hpp"
#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/topology/strata_counting.hpp"

namespace aprscope {
namespace {

using gpu::DeviceBuffer;
using gpu::GpuDevice;

// Evenly distributed 64-bit hashes of pixel numbers (the finalizer of Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t i) {
  i += 0x9E3779B97F4A7C15ULL;
  i = (i ^ i >> 30U) * 0xBF58476D1CE4E5B9ULL;
  i = (i ^ i >> 27U) * 0x94D049BB133111EBULL;
  return i ^ i >> 31U;
}
// An approximately normal random number with standard deviation 1.
double normal(std::uint64_t i) {
  const std::uint64_t bits = mixed(i);
  double sum = 0.0;
  for (unsigned k = 0; k < 4; ++k) sum += static_cast<double>(bits >> (16 * k) & 0xFFFFU) / 65536.0;
  return (sum - 2.0) * std::sqrt(3.0);
}

constexpr const char* kKinds[] = {"noise", "smooth", "camera"};

template <class T>
Pixels<T> drawn(const Size3& size, const std::string& kind) {
  constexpr double kMost = sizeof(T) == 1 ? 255.0 : 65535.0;
  Pixels<T> pixels(size);
  parallel_for(size.z, thread_count(), [&](std::int64_t z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto i = static_cast<std::uint64_t>((z * size.x + x) * size.y + y);
        double v = 0.0;
        if (kind == "noise") {
          v = static_cast<double>(mixed(i) % static_cast<std::uint64_t>(kMost + 1.0));
        } else if (kind == "smooth") {
          const auto wave = [](std::int64_t at) {
            return std::sin(static_cast<double>(at) * std::numbers::pi / 50.0);
          };
          v = kMost * std::max(0.0, wave(z) * wave(x) * wave(y));
        } else {
          v = sizeof(T) == 1 ? 30.0 + 5.0 * normal(i) : 400.0 + 12.0 * normal(i);
        }
        pixels.at(z, x, y) = static_cast<T>(v);
      }
    }
  });
  return pixels;
}

class TopologyBench {
 public:
  TopologyBench(std::shared_ptr<GpuDevice> device, int repeats)
      : device_(std::move(device)), repeats_(repeats) {}

  template <class T>
  void pixels(Pixels<T> image, const std::string& kind, bool from_host) {
    const Size3 n = image.size;
    const std::uint64_t bytes = image.values.size() * sizeof(T);
    constexpr std::uint64_t kMargin = 4;
    const DeviceBuffer<std::uint32_t> memory(bytes / 4 + 2 * kMargin, "pixels", device_->main());
    const std::uint32_t* const words = memory.data() + kMargin;
    device_->upload(image.values.data(), memory.data() + kMargin, bytes);
    const DeviceBuffer<unsigned long long> sums(std::uint64_t{gpu::kStrataSums} * 65536, "sums",
                                                device_->main());
    const std::string type = sizeof(T) == 1 ? "u8" : "u16";
    add("read " + type, kind,
        gpu::measure(*device_, repeats_,
                     [&] {
                       gpu::read_words(words, bytes / 4,
                                       reinterpret_cast<std::uint32_t*>(sums.data()),
                                       device_->main());
                     }),
        bytes);
    gpu::StrataSlab slab;
    slab.words = words;
    slab.size = {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
    slab.row_words = static_cast<int>(static_cast<std::uint64_t>(n.y) * sizeof(T) / 4);
    const gpu::StrataRule rule{~0U, 0U};  // closed voxels, superlevel sets
    gpu::StrataWindow window;
    if constexpr (sizeof(T) == 2) window = window_of(image);
    const auto run = [&] {
      sums.zero();
      if constexpr (sizeof(T) == 1) {
        gpu::count_strata_8(slab, rule, sums.data(), device_->multiprocessors(), device_->main());
      } else {
        gpu::count_strata_16(slab, rule, window, sums.data(), device_->multiprocessors(),
                             device_->main());
      }
    };
    add("strata " + type, kind, gpu::measure(*device_, repeats_, run), bytes);
    if (!from_host) return;
    Volume volume;
    volume.pixels = std::move(image);
    add("strata " + type + " from host", kind,
        gpu::measure_wall(std::min(repeats_, 5),
                          [&] {
                            const auto places =
                                LevelPlaces::of_whole_numbers(0, 65535, LevelSets::superlevel, 0);
                            const auto done = gpu::count_pixel_strata(
                                *device_, volume, places, Construction::closed_voxels, 0, {});
                            if (!done) throw gpu::Failure{done.error()};
                          }),
        bytes);
  }

  void particles(const std::shared_ptr<const AprAccess>& access, std::span<const float> values) {
    const gpu::OctetApr apr(access, device_);
    const auto levels = LevelPlaces::of(values, LevelSets::superlevel, 0);
    if (!levels) throw gpu::Failure{levels.error()};
    std::vector<std::uint16_t> places(values.size());
    levels->find(values, std::span(places));
    const gpu::ParticleStrata strata(apr, places, static_cast<int>(levels->levels().size()),
                                     Construction::closed_voxels);
    add("strata particles", "-", gpu::measure(*device_, repeats_, [&] { strata.enqueue(); }),
        access->count() * sizeof(gpu::StrataCell));
  }

  std::vector<GpuTiming> take() { return std::move(timings_); }

 private:
  void add(const std::string& op, const std::string& kind, GpuTiming timing, std::uint64_t moved) {
    timing.op = op;
    timing.stencil = kind;
    timing.moved = moved;
    timings_.push_back(std::move(timing));
  }
  // The window of the most frequent values, in reversed order as the kernel compares them.
  static gpu::StrataWindow window_of(const Pixels<std::uint16_t>& image) {
    std::vector<std::uint16_t> sample;
    for (std::size_t i = 0; i < image.values.size(); i += 1009) {
      sample.push_back(static_cast<std::uint16_t>(~image.values[i]));
    }
    return {gpu::densest_bins(sample, gpu::kStrataWindow).first, gpu::kStrataWindow};
  }

  std::shared_ptr<GpuDevice> device_;
  int repeats_;
  std::vector<GpuTiming> timings_;
};

template <class Work>
Result<std::vector<GpuTiming>> on_device(const std::string& id, int repeats, const Work& work) {
  const auto device = gpu::device_of(id);
  if (!device) return device.error();
  const std::lock_guard turn((*device)->turn());
  return gpu::guarded([&]() -> Result<std::vector<GpuTiming>> {
    (*device)->use();
    TopologyBench bench(*device, repeats);
    work(bench);
    return bench.take();
  });
}

Status check_size(const Size3& size) {
  if (size.count() <= gpu::kMostStrataVoxels && size.y % 4 == 0) return {};
  return Error{"has more than 2^28 pixels or rows that are no multiple of 4", "bench topology",
               "use another --size"};
}

}  // namespace

Result<std::vector<GpuTiming>> gpu_pixel_topology_benchmark(const std::string& id,
                                                            const Size3& size, int repeats) {
  if (Status ok = check_size(size); !ok) return ok.error();
  return on_device(id, repeats, [&](TopologyBench& bench) {
    for (const char* kind : kKinds) {
      bench.pixels(drawn<std::uint8_t>(size, kind), kind, false);
      bench.pixels(drawn<std::uint16_t>(size, kind), kind, kind == std::string("camera"));
    }
  });
}

Result<std::vector<GpuTiming>> gpu_topology_benchmark(
    const std::string& id, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, int repeats) {
  const Size3& n = access->size();
  if (Status ok = check_size(n); !ok) return ok.error();
  const auto painted =
      reconstruct(*access, values, ReconstructionMode::constant, {{0, 0, 0}, {n.z, n.x, n.y}}, {});
  if (!painted) return painted.error();
  Pixels<std::uint16_t> pixels(n);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<std::uint16_t>(std::clamp(painted->values[i], 0.0F, 65535.0F));
  }
  return on_device(id, repeats, [&](TopologyBench& bench) {
    bench.particles(access, values);
    bench.pixels(std::move(pixels), "reconstruction", false);
  });
}

}  // namespace aprscope
