#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/image/labels.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Labels, and the number of pixels of each; element 0: the pixels without a label.
struct CountedLabels {
  Labels labels;
  std::vector<std::int64_t> counts;
};

/// The components of the pixels of a mask that are not zero, on the device: the labels that
/// connected_components() of core/cells gives, in the order of first pixels. Errors: cancelled;
/// more pixels than indices reach, too little memory of the device (with numbers). Throws a Failure
/// where CUDA fails, and std::bad_alloc. The device must be current.
Result<CountedLabels> label_on_device(GpuDevice& device, const Volume& mask,
                                      Connectivity connectivity, const JobContext& context);

/// Device memory that label_on_device() takes, in bytes.
std::uint64_t device_label_bytes(const Size3& size);

}  // namespace aprscope::gpu
