#pragma once

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/smoother_plan.hpp"
#include "gpu/convert/device_access.hpp"

namespace aprscope::gpu {

/// What a conversion leaves on the device.
struct DeviceConversion {
  ConversionParameters used;
  DeviceAccess particles, tree;
  /// Particle values in the sample type of the image.
  DeviceBuffer<char> values;
};

/// Conversion of images of one size on a device: the same steps in the same order of roundings as
/// convert(), so that structure and values are those of the CPU, byte for byte. The image is worked
/// through in slabs of slices while the next ones are on their way; where it does not fit on the
/// device as a whole, only the slices in work are held there, and those of the particle values come
/// a second time.
class ImageConversion {
 public:
  /// Chooses slabs for the memory that is free. The size needs level_max ≥ 2, and the parameters
  /// must be sound. Throws a Failure that names the memory needed where even thin slabs do not fit.
  ImageConversion(GpuDevice& device, const Size3& size, SampleKind kind,
                  const ConversionParameters& parameters);

  /// Converts an image in host memory. Throws a Failure, also when cancelled.
  DeviceConversion run(const void* image, const JobContext& context);

  /// Whether the whole image is held on the device.
  [[nodiscard]] bool resident() const { return resident_; }

  /// Bytes on the device of the steps up to the particles, the image included.
  static std::uint64_t estimate_bytes(const Size3& size, SampleKind kind,
                                      const ConversionParameters& parameters);

 private:
  struct Working;
  [[nodiscard]] std::uint64_t bytes_with(int slab_blocks, bool resident) const;
  [[nodiscard]] int ring_slots(int slab_blocks) const;
  [[nodiscard]] std::uint64_t plane_bytes() const {
    return static_cast<std::uint64_t>(size_.x * size_.y) * sample_bytes(kind_);
  }
  /// Enqueues the upload of the slices up to `end`, before the work that follows.
  void bring(Working& work, std::int64_t end);
  void copy_slices(Working& work, std::int64_t begin, std::int64_t end);

  GpuDevice& device_;
  Size3 size_;
  SampleKind kind_;
  ConversionParameters parameters_;
  SmootherPlan plan_;
  HalfOptions options_;
  int slab_blocks_ = 0;
  bool resident_ = true;
};

/// The whole conversion of a volume in host memory, as convert(). Throws a Failure.
Result<Apr> convert_on_device(GpuDevice& device, const Volume& volume,
                              const ConversionParameters& parameters, const JobContext& context);

}  // namespace aprscope::gpu
