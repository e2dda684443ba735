#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// The pixels of a region of an image that is read some slices at a time, as a source of
/// summarize(): a block is a slice of it. T is the type of the source's kind().
template <class T>
class SliceValues {
 public:
  using Value = T;
  /// About `memory` bytes of slices are kept, at least one slice.
  SliceValues(SliceSource& source, const Region& region, std::uint64_t memory,
              const JobContext& context)
      : source_(source), region_(region), memory_(memory), context_(context) {}

  [[nodiscard]] std::int64_t blocks() const { return region_.size().z; }
  /// Reads blocks from this one on and returns where they end; this one itself after an error.
  std::int64_t bring(std::int64_t first) {
    if (!failed_) return first;
    const std::int64_t fit = static_cast<std::int64_t>(memory_ / (values_in_slice() * sizeof(T)));
    const std::int64_t end = std::min(blocks(), first + std::max<std::int64_t>(fit, 1));
    slices_.resize(static_cast<std::size_t>(end - first) * values_in_slice());
    first_ = first;
    const JobContext silent(context_.stop_token());
    for (std::int64_t block = first; block < end; ++block) {
      failed_ = source_.read(region_.begin.z + block, slice(block), silent);
      if (!failed_) return first;
    }
    return end;
  }
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const T* const values = slice(block);
    const std::int64_t width = source_.size().y;
    for (std::int64_t x = region_.begin.x; x < region_.end.x; ++x) {
      f(std::span<const T>(values + x * width + region_.begin.y,
                           static_cast<std::size_t>(region_.size().y)),
        nullptr);
    }
  }
  /// The error of reading, if there was one.
  [[nodiscard]] const Status& status() const { return failed_; }

 private:
  [[nodiscard]] std::size_t values_in_slice() const {
    return static_cast<std::size_t>(source_.size().x * source_.size().y);
  }
  [[nodiscard]] T* slice(std::int64_t block) {
    return slices_.data() + static_cast<std::size_t>(block - first_) * values_in_slice();
  }
  [[nodiscard]] const T* slice(std::int64_t block) const {
    return slices_.data() + static_cast<std::size_t>(block - first_) * values_in_slice();
  }

  SliceSource& source_;
  Region region_;
  std::uint64_t memory_;
  const JobContext& context_;
  std::vector<T> slices_;
  std::int64_t first_ = 0;
  Status failed_;
};

}  // namespace aprscope
