#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "gpu/device/device_buffer.hpp"
#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// The linear access of an APR on the device, and the properties of it that the host needs.
struct LinearSource {
  Int3 size;
  int level_max = 0;
  const std::uint16_t* y = nullptr;       // device
  const std::uint64_t* xz_end = nullptr;  // device
  std::uint64_t particle_count = 0;
  std::array<std::uint64_t, kMaxLevels> first_row{};  // as LinearAccess::first_row()
  /// Interior cells of each level, 0 … level_max − 1; the next level has as many octets.
  std::array<std::uint64_t, kMaxLevels> interior{};
};

/// The structure of an APR in octets; built on the device and resident there; immutable.
class OctetStructure {
 public:
  /// Builds the structure on `stream`, which must outlive it; returns when it is complete. Throws a
  /// Failure (too little memory, more than 2^32 slots).
  OctetStructure(const LinearSource& source, cudaStream_t stream);

  [[nodiscard]] const OctetView& view() const { return view_; }
  [[nodiscard]] int level_max() const { return view_.level_max; }
  [[nodiscard]] std::uint64_t particle_count() const { return particle_count_; }
  /// The number of floats in a buffer of values in octet order, octet 0 included.
  [[nodiscard]] std::uint64_t slot_count() const {
    return (std::uint64_t{view_.octet_count} + 1) * 8;
  }
  /// Entries of `work` that belong to a level.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Range work(int level) const { return work_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] std::uint64_t bytes() const;

  /// Bytes that a structure takes at most, estimated before it is built; without buffers of values.
  static std::uint64_t estimate_bytes(Int3 size, int level_max, std::uint64_t octets);

 private:
  OctetView view_;
  std::uint64_t particle_count_ = 0;
  std::array<Range, kMaxLevels> work_{};
  DeviceBuffer<std::uint64_t> masks_;
  DeviceBuffer<std::uint32_t> bases_, info_, parent_, rows_;
  DeviceBuffer<BrickWork> brick_work_;
  DeviceBuffer<std::uint32_t> halo_source_;
  DeviceBuffer<std::uint16_t> halo_place_;
};

/// Fills in the geometry of all levels; `interior` as in LinearSource.
OctetView layout_levels(Int3 size, int level_max,
                        const std::array<std::uint64_t, kMaxLevels>& interior);

}  // namespace aprscope::gpu
