#include <cub/device/device_scan.cuh>

#include "gpu/cells/component_labels.hpp"
#include "gpu/cells/label_steps.hpp"

namespace aprscope::gpu {
namespace {

using labelling::kWhat;

std::uint64_t row_words_of(std::int64_t row) { return static_cast<std::uint64_t>(row + 31) / 32; }

std::size_t scan_bytes(std::uint32_t count) {
  std::size_t bytes = 0;
  std::uint32_t* const none = nullptr;
  ensure(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, count), kWhat);
  return bytes;
}

}  // namespace

ComponentLabels::ComponentLabels(const Int3& size, cudaStream_t stream)
    : size_(size),
      row_words_(static_cast<std::uint32_t>(row_words_of(size.y))),
      words_(static_cast<std::uint32_t>(size.z) * static_cast<std::uint32_t>(size.x) * row_words_),
      stream_(stream),
      bits_(words_, kWhat, stream),
      nodes_(words_, kWhat, stream),
      firsts_(words_, kWhat, stream),
      ranks_(std::uint64_t{words_} + 1, kWhat, stream),
      outside_(words_, kWhat, stream),
      padded_(size.y % 32 != 0 ? std::uint64_t{words_} * 32 : 0, kWhat, stream),
      scan_(scan_bytes(words_ + 1), kWhat, stream) {}

bool ComponentLabels::can_index(const Size3& size) {
  // Checked before the product below: rows alone may be too many for it.
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (size.z >= kMost || size.x >= kMost || size.y >= kMost) return false;
  const auto words = static_cast<double>(size.z) * static_cast<double>(size.x) *
                     static_cast<double>(row_words_of(size.y));
  return words * 32.0 < static_cast<double>(kOutside);
}

std::uint64_t ComponentLabels::bytes(const Size3& size) {
  const auto words = static_cast<std::uint64_t>(size.z * size.x) * row_words_of(size.y);
  // The memory of the scan is less than 1/100 of what is scanned.
  constexpr std::uint64_t kScan = 1U << 20U;
  return words * sizeof(std::uint32_t) * (5U + (size.y % 32 != 0 ? 32U : 0U)) + words / 16 + kScan;
}

void ComponentLabels::enqueue(const std::uint8_t* mask, Labelled what, Connectivity connectivity,
                              std::uint32_t* labels) const {
  if (words_ == 0) return;
  const bool holes = what == Labelled::holes;
  const bool padded = padded_.count() != 0;
  const labelling::LabelJob job{.mask = mask,
                                .inverted = holes,
                                .size = size_,
                                .row_words = row_words_,
                                .words = words_,
                                .labels = padded ? padded_.data() : labels,
                                .bits = bits_.data(),
                                .nodes = nodes_.data(),
                                .firsts = firsts_.data(),
                                .outside = holes ? outside_.data() : nullptr,
                                .ranks = ranks_.data(),
                                .stream = stream_};
  find_components(job, connectivity);
  if (holes) {
    outside_.zero();
    find_outside(job);
  }
  count_components(job);
  std::size_t bytes = scan_.bytes();
  ensure(cub::DeviceScan::ExclusiveSum(scan_.data(), bytes, ranks_.data(), ranks_.data(),
                                       words_ + 1, stream_),
         kWhat);
  number_components(job, padded ? labels : nullptr);
}

std::uint32_t ComponentLabels::count() const {
  std::uint32_t found = 0;
  if (words_ == 0) return found;
  ensure(cudaMemcpyAsync(&found, ranks_.data() + words_, sizeof(found), cudaMemcpyDeviceToHost,
                         stream_),
         kWhat);
  ensure(cudaStreamSynchronize(stream_), kWhat);
  return found;
}

}  // namespace aprscope::gpu
