#include "gpu/cells/labelling.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"
#include "core/cells/slice_findings.hpp"
#include "gpu/cells/component_labels.hpp"
#include "gpu/cells/label_sums.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kDoing = "labels on the GPU";

Status check_label_memory(const Volume& mask, const GpuDevice& device) {
  if (!ComponentLabels::can_index(mask.size())) {
    return Error{"has more than 2^31 pixels, which labelling on the GPU cannot number", mask.name,
                 "use --device cpu"};
  }
  const std::uint64_t needed = device_label_bytes(mask.size());
  const DeviceMemory memory = device_memory();
  if (needed <= memory.free) return {};
  return Error{"labelling needs " + format_bytes(needed) + " of GPU memory, but only " +
                   format_bytes(memory.free) + " of " + format_bytes(memory.total) +
                   " are free on " + device.name(),
               mask.name, "use --device cpu or smaller data"};
}

// Uploads the mask, one byte a pixel.
DeviceBuffer<std::uint8_t> upload_mask(GpuDevice& device, const Volume& mask) {
  if (const auto* bytes = std::get_if<Pixels<std::uint8_t>>(&mask.pixels)) {
    return device.upload(std::span(bytes->values), kDoing);
  }
  const Size3 n = mask.size();
  std::vector<std::uint8_t> set(static_cast<std::size_t>(n.count()));
  std::visit(
      [&](const auto& pixels) {
        parallel_for(n.z * n.x, thread_count(), [&](std::int64_t row) {
          const auto begin = pixels.values.begin() + row * n.y;
          std::transform(begin, begin + n.y, set.begin() + row * n.y,
                         [](auto v) { return v != 0 ? std::uint8_t{1} : std::uint8_t{0}; });
        });
      },
      mask.pixels);
  return device.upload(std::span<const std::uint8_t>(set), kDoing);
}

}  // namespace

std::uint64_t device_label_bytes(const Size3& size) {
  const auto pixels = static_cast<std::uint64_t>(size.count());
  return pixels * (sizeof(std::uint8_t) + sizeof(std::uint32_t)) + ComponentLabels::bytes(size);
}

Result<CountedLabels> label_on_device(GpuDevice& device, const Volume& mask,
                                      Connectivity connectivity, const JobContext& context) {
  if (Status ok = check_label_memory(mask, device); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const Size3 n = mask.size();
  const Int3 size{static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
  CountedLabels found;
  context.report(0.0, "copying to the GPU");
  const DeviceBuffer<std::uint32_t> labels(static_cast<std::uint64_t>(n.count()), kDoing,
                                           device.main());
  {
    const auto on_device = upload_mask(device, mask);
    const ComponentLabels job(size, device.main());
    job.enqueue(on_device.data(), Labelled::set, connectivity, labels.data());
    // The host allocates the labels while the device works.
    make_zeros(found.labels.values, n.count());
    found.labels.largest = job.count();
  }
  if (context.stop_requested()) return cancelled_error();
  context.report(0.4, "labels");
  // With many labels, fetching their sums from the device takes as long as counting pixels on the
  // host, so the host counts.
  const std::uint64_t totals_bytes = std::uint64_t{found.labels.largest} * sizeof(LabelTotal);
  const bool sum_here = can_sum_labels(n) && totals_bytes <= device_memory().free &&
                        totals_bytes <= labels.bytes() / 16;
  std::vector<LabelTotal> totals(sum_here ? found.labels.largest : 0);
  if (sum_here) {
    const DeviceBuffer<LabelTotal> sums(found.labels.largest, kDoing, device.main());
    sums.zero();
    sum_labels(labels.data(), size, found.labels.largest, sums.data(), device.main());
    device.download(sums.data(), totals.data(), sums.bytes());
  }
  device.download(labels.data(), found.labels.values.data(), labels.bytes());
  if (sum_here) {
    found.counts.resize(totals.size() + 1);
    std::transform(totals.begin(), totals.end(), found.counts.begin() + 1,
                   [](const LabelTotal& t) { return static_cast<std::int64_t>(t.voxels); });
    found.counts[0] =
        n.count() - std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0});
  } else {
    found.counts = label_counts(found.labels);
  }
  context.report(1.0, "labels");
  return found;
}

}  // namespace aprscope::gpu
