#pragma once

#include <memory>
#include <optional>

#include "core/filter/repeated_filter.hpp"

namespace aprscope {

/// Convolution with a small kernel on particles, and with the flipped one: the kernel restricted to
/// each level.
class NearPart {
 public:
  /// Prepares the correlation with a near part, at the particles that begin in `slices` (none: at
  /// all). Errors: no memory.
  static Result<NearPart> create(const std::shared_ptr<const AprAccess>& access,
                                 const Stencil& kernel, Boundary boundary,
                                 std::optional<SliceSpan> slices = std::nullopt);

  /// Writes the blurred input to `out`. Errors: lengths, cancelled.
  Status apply(const FilterInput& input, bool flip, std::span<float> out,
               const JobContext& context);

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  Size3 size_;
  std::unique_ptr<ParticleFilter> forward_;
  /// Null where the kernel is its own mirror image.
  std::unique_ptr<ParticleFilter> flipped_;
};

}  // namespace aprscope
