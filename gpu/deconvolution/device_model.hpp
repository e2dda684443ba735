#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "gpu/deconvolution/device_estimate.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// The model that Richardson–Lucy iterates on a device: values in some order, their blur (see
/// BlurModel), and their regulariser. Allocates its memory when constructed; every function throws
/// a Failure where CUDA fails, and only enqueues work unless it says that it waits.
class DeviceModel {
 public:
  virtual ~DeviceModel() = default;

  /// A new buffer. Slots that are not values hold something finite and keep it. Waits.
  [[nodiscard]] virtual DeviceValues make_values() const = 0;
  [[nodiscard]] virtual ValueSlots slots() const = 0;
  /// Copies values from / to the host, in the host's order. Both wait.
  virtual void upload(std::span<const float> from, const DeviceValues& to) const = 0;
  virtual void download(const DeviceValues& from, std::span<float> to) const = 0;
  /// Pixels that each value stands for, in the host's order; empty: one.
  [[nodiscard]] virtual std::vector<float> weights() const { return {}; }

  /// out = in blurred, or by the flipped PSF (the adjoint).
  virtual void blur(const DeviceValues& in, bool flip, const DeviceValues& out) const = 0;
  /// True where `in` and `out` may be the same.
  [[nodiscard]] virtual bool in_place() const { return false; }
  /// See BlurModel.
  [[nodiscard]] virtual bool keeps_ones() const = 0;
  /// out = the regulariser's term of the point, see Regulariser; gives what to multiply it by.
  virtual float term(const DeviceValues& point, float largest, const DeviceValues& out) const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
};

/// How many buffers of values iterations with these options need at most, for a model and a back
/// projector where they have one.
int iteration_buffers(const RichardsonLucyOptions& options, bool keeps_ones, bool in_place);

}  // namespace aprscope::gpu
