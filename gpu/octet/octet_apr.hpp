#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/tree.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/octet/octet_structure.hpp"

namespace aprscope::gpu {

/// Values of an APR on the device in octet order: particles and, once the tree was filled, interior
/// cells.
using OctetValues = DeviceBuffer<float>;

/// The structure of an APR, resident on a device. All values on it share it. Every function throws
/// a Failure where CUDA fails; the device must be current.
class OctetApr {
 public:
  /// Uploads the linear access and builds the octets from it there.
  OctetApr(std::shared_ptr<const AprAccess> access, std::shared_ptr<GpuDevice> device);

  [[nodiscard]] const AprAccess& access() const { return *access_; }
  [[nodiscard]] GpuDevice& device() const { return *device_; }
  [[nodiscard]] const std::shared_ptr<GpuDevice>& shared_device() const { return device_; }
  [[nodiscard]] const OctetStructure& structure() const { return *structure_; }
  [[nodiscard]] const OctetView& view() const { return structure_->view(); }

  /// A buffer whose slots beyond the image hold 0, as all kernels expect and keep.
  [[nodiscard]] OctetValues make_values() const;
  /// Copies one value for each particle from / to linear order on the host. download() waits.
  void upload(std::span<const float> linear, const OctetValues& to) const;
  void download(const OctetValues& from, std::span<float> linear) const;
  /// Computes the values of the interior cells from their children.
  void fill_tree(const OctetValues& values, Reduction reduction) const;
  /// Values of the interior cells in the order of access().tree().
  [[nodiscard]] std::vector<float> download_tree(const OctetValues& values) const;
  /// A copy of the structure's work list on the host; fetched at the first call, for which the
  /// device's lock must be held.
  [[nodiscard]] const std::vector<BrickWork>& bricks() const;

  /// Bytes that the structure and `buffers` values on it need on the device, at most.
  static std::uint64_t estimate_bytes(const AprAccess& access, int buffers);

 private:
  std::shared_ptr<const AprAccess> access_;
  std::shared_ptr<GpuDevice> device_;
  std::unique_ptr<OctetStructure> structure_;
  mutable std::vector<BrickWork> bricks_;
};

/// The access as the structure is built from it; `y` and `xz_end` are left null.
LinearSource describe_access(const AprAccess& access);

}  // namespace aprscope::gpu
