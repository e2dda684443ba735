#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "core/base/parallel.hpp"
#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/cells/component_labels.hpp"
#include "gpu/cells/label_sums.hpp"
#include "gpu/cells/labelling.hpp"

namespace aprscope {
namespace {

using gpu::DeviceBuffer;

// Random 64-bit numbers, unrelated even for neighbouring seeds.
std::uint64_t scattered(std::uint64_t i) { return std::mt19937_64(i)(); }

// A mask in which each pixel is set at random with this probability.
Pixels<std::uint8_t> noise(const Size3& size, int percent) {
  Pixels<std::uint8_t> mask(size);
  parallel_for(size.z * size.x, thread_count(), [&](std::int64_t row) {
    std::minstd_rand random(
        static_cast<std::uint32_t>(scattered(static_cast<std::uint64_t>(row + 1))));
    for (std::int64_t y = 0; y < size.y; ++y) {
      const bool set = random() / 64 % 100 < static_cast<std::uint32_t>(percent);
      mask.values[static_cast<std::size_t>(row * size.y + y)] = set ? 255 : 0;
    }
  });
  return mask;
}

// Where a sum of plane waves of about 40 pixels in all directions is positive: half of the image.
Pixels<std::uint8_t> blobs(const Size3& size) {
  struct Wave {
    double z, x, y, phase;
  };
  std::array<Wave, 10> waves{};
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (Wave& w : waves) {
    w = {normal(random), normal(random), normal(random), 3.0 * normal(random)};
    const double length = std::sqrt(w.z * w.z + w.x * w.x + w.y * w.y);
    const double factor = 2.0 * std::numbers::pi / (40.0 * length);
    w.z *= factor;
    w.x *= factor;
    w.y *= factor;
  }
  Pixels<std::uint8_t> mask(size);
  parallel_for(size.z * size.x, thread_count(), [&](std::int64_t row) {
    const std::int64_t z = row / size.x;
    const std::int64_t x = row % size.x;
    for (std::int64_t y = 0; y < size.y; ++y) {
      double sum = 0.0;
      for (const Wave& w : waves) {
        sum += std::sin(w.z * static_cast<double>(z) + w.x * static_cast<double>(x) +
                        w.y * static_cast<double>(y) + w.phase);
      }
      mask.values[static_cast<std::size_t>(row * size.y + y)] = sum > 0.0 ? 255 : 0;
    }
  });
  return mask;
}

// Cubes of 22 pixels between walls of one: 10,648 in 512³.
Pixels<std::uint8_t> cubes(const Size3& size) {
  constexpr std::int64_t kEach = 23;
  Pixels<std::uint8_t> mask(size);
  parallel_for(size.z * size.x, thread_count(), [&](std::int64_t row) {
    const bool wall = row / size.x % kEach == 0 || row % size.x % kEach == 0;
    for (std::int64_t y = 0; y < size.y; ++y) {
      mask.values[static_cast<std::size_t>(row * size.y + y)] = wall || y % kEach == 0 ? 0 : 255;
    }
  });
  return mask;
}

class LabelBench {
 public:
  LabelBench(std::shared_ptr<gpu::GpuDevice> device, const Size3& size, int repeats)
      : device_(std::move(device)),
        repeats_(repeats),
        size_{static_cast<int>(size.z), static_cast<int>(size.x), static_cast<int>(size.y)},
        job_(size_, device_->main()),
        labels_(static_cast<std::uint64_t>(size.count()), "labels", device_->main()) {}

  void of(const Pixels<std::uint8_t>& mask, const std::string& kind, bool holes) {
    const auto on_device = device_->upload(std::span(mask.values), "mask");
    const auto run = [&](const std::string& op, gpu::Labelled what, Connectivity connectivity) {
      GpuTiming timing = gpu::measure(*device_, repeats_, [&] {
        job_.enqueue(on_device.data(), what, connectivity, labels_.data());
      });
      timing.op = op;
      timing.stencil = kind;
      // The mask is read and the labels are written.
      timing.moved = mask.values.size() * (1 + sizeof(std::uint32_t));
      timings_.push_back(std::move(timing));
    };
    run("labels 6", gpu::Labelled::set, Connectivity::faces);
    run("labels 18", gpu::Labelled::set, Connectivity::edges);
    run("labels 26", gpu::Labelled::set, Connectivity::corners);
    if (holes) run("holes 6", gpu::Labelled::holes, Connectivity::faces);
  }

  // Times labelling from host memory and back to it, by the host's clock.
  void from_host(Pixels<std::uint8_t> mask, const std::string& kind) {
    Volume volume;
    const std::uint64_t pixels = mask.values.size();
    volume.pixels = std::move(mask);
    GpuTiming timing = gpu::measure_wall(std::min(repeats_, 5), [&] {
      const auto done = gpu::label_on_device(*device_, volume, Connectivity::faces, {});
      if (!done) throw gpu::Failure{done.error()};
    });
    timing.op = "labels 6 from host";
    timing.stencil = kind;
    timing.moved = pixels * (1 + sizeof(std::uint32_t));
    timings_.push_back(std::move(timing));
  }

  // Times the sums over the 6-connected components, with random grey values of 16 bits.
  void sums_of(const Pixels<std::uint8_t>& mask, const std::string& kind) {
    const auto on_device = device_->upload(std::span(mask.values), "mask");
    job_.enqueue(on_device.data(), gpu::Labelled::set, Connectivity::faces, labels_.data());
    const std::uint32_t count = job_.count();
    std::vector<std::uint16_t> grey(mask.values.size());
    parallel_for(static_cast<std::int64_t>(grey.size()), thread_count(), [&](std::int64_t i) {
      grey[static_cast<std::size_t>(i)] =
          static_cast<std::uint16_t>(static_cast<std::uint64_t>(i) * 2654435761U >> 16U);
    });
    const auto values = device_->upload(std::span<const std::uint16_t>(grey), "grey values");
    const DeviceBuffer<gpu::LabelTotal> totals(count, "sums", device_->main());
    const auto add = [&](const std::string& op, std::uint64_t bytes, const auto& enqueue) {
      GpuTiming timing = gpu::measure(*device_, repeats_, [&] {
        totals.zero();
        enqueue();
      });
      timing.op = op;
      timing.stencil = kind;
      timing.moved = mask.values.size() * bytes;
      timings_.push_back(std::move(timing));
    };
    add("sums", sizeof(std::uint32_t),
        [&] { gpu::sum_labels(labels_.data(), size_, count, totals.data(), device_->main()); });
    add("sums u16", sizeof(std::uint32_t) + sizeof(std::uint16_t), [&] {
      gpu::sum_labels(labels_.data(), values.data(), size_, count, totals.data(), device_->main());
    });
  }

  std::vector<GpuTiming> take() { return std::move(timings_); }

 private:
  std::shared_ptr<gpu::GpuDevice> device_;
  int repeats_;
  gpu::Int3 size_;
  gpu::ComponentLabels job_;
  DeviceBuffer<std::uint32_t> labels_;
  std::vector<GpuTiming> timings_;
};

}  // namespace

Result<std::vector<GpuTiming>> gpu_label_benchmark(const std::string& id, const Size3& size,
                                                   int repeats) {
  const auto device = gpu::device_of(id);
  if (!device) return device.error();
  if (!gpu::ComponentLabels::can_index(size)) {
    return Error{"has more than 2^31 pixels", "bench cells", "use another --size"};
  }
  const std::lock_guard turn((*device)->turn());
  return gpu::guarded([&]() -> Result<std::vector<GpuTiming>> {
    (*device)->use();
    LabelBench bench(*device, size, repeats);
    for (const int percent : {10, 20, 30, 50, 70, 90}) {
      bench.of(noise(size, percent), "noise " + std::to_string(percent) + " %", percent == 50);
    }
    bench.of(blobs(size), "smooth", true);
    bench.of(cubes(size), "cubes", true);
    bench.sums_of(noise(size, 50), "noise 50 %");
    bench.sums_of(blobs(size), "smooth");
    bench.sums_of(cubes(size), "cubes");
    bench.from_host(blobs(size), "smooth");
    bench.from_host(cubes(size), "cubes");
    return bench.take();
  });
}

}  // namespace aprscope
