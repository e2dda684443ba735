#include <cstring>

#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/convert/image_conversion.hpp"

namespace aprscope {
namespace {

using gpu::DeviceConversion;
using gpu::ensure;
using gpu::GpuDevice;
using gpu::ImageConversion;

// Pinned host memory: the device can read and write it directly over the bus.
class Pinned {
 public:
  explicit Pinned(std::uint64_t bytes) {
    ensure(cudaMallocHost(&memory_, bytes), "reserving memory for transfers");
  }
  ~Pinned() { (void)cudaFreeHost(memory_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  [[nodiscard]] char* data() const { return static_cast<char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

class ConversionBench {
 public:
  ConversionBench(std::shared_ptr<GpuDevice> device, const Volume& volume,
                  const ConversionParameters& parameters, int repeats)
      : device_(std::move(device)),
        volume_(volume),
        parameters_(parameters),
        repeats_(repeats),
        bytes_(volume.bytes()),
        conversion_(*device_, volume.size(), static_cast<SampleKind>(volume.pixels.index()),
                    parameters) {
    std::visit([&](const auto& image) { pixels_ = image.values.data(); }, volume.pixels);
  }

  std::vector<GpuTiming> run() {
    const Pinned image(bytes_);
    std::memcpy(image.data(), pixels_, bytes_);
    const gpu::DeviceBuffer<char> resident(bytes_, "image", device_->main());
    add("pinned_upload", gpu::measure(*device_, repeats_, [&] {
          ensure(cudaMemcpyAsync(resident.data(), image.data(), bytes_, cudaMemcpyHostToDevice,
                                 device_->main()),
                 "copying");
        }));
    add("convert_to_particles", gpu::measure_wall(repeats_, [&] {
          const DeviceConversion made = conversion_.run(pixels_, {});
          ensure(cudaStreamSynchronize(device_->main()), "waiting for the GPU");
        }));
    add("convert_to_dataset", gpu::measure_wall(std::min(repeats_, 5), [&] {
          const auto apr = gpu::convert_on_device(*device_, volume_, parameters_, {});
          if (!apr) throw gpu::Failure{apr.error()};
        }));
    return std::move(timings_);
  }

 private:
  void add(const char* op, GpuTiming timing) {
    timing.op = op;
    timing.moved = bytes_;
    timings_.push_back(std::move(timing));
  }

  std::shared_ptr<GpuDevice> device_;
  const Volume& volume_;
  ConversionParameters parameters_;
  int repeats_;
  std::uint64_t bytes_;
  ImageConversion conversion_;
  const void* pixels_ = nullptr;
  std::vector<GpuTiming> timings_;
};

}  // namespace

Result<std::vector<GpuTiming>> gpu_conversion_benchmark(const std::string& id, const Volume& volume,
                                                        const ConversionParameters& parameters,
                                                        int repeats) {
  const auto device = gpu::device_of(id);
  if (!device) return device.error();
  const std::lock_guard turn((*device)->turn());
  return gpu::guarded([&]() -> Result<std::vector<GpuTiming>> {
    (*device)->use();
    return ConversionBench(*device, volume, parameters, repeats).run();
  });
}

}  // namespace aprscope
