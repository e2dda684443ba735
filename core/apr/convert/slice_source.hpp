#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The sample types of Pixels, in the order of AnyPixels.
enum class SampleKind { u8, u16, f32 };

/// An image that is read slice by slice and need not fit in memory.
class SliceSource {
 public:
  virtual ~SliceSource() = default;

  [[nodiscard]] virtual Size3 size() const = 0;
  [[nodiscard]] virtual SampleKind kind() const = 0;
  /// Everything about the volume but its pixels.
  [[nodiscard]] virtual const Volume& header() const = 0;
  /// Whether reading a slice takes far more time than copying one: it is packed, or put together of
  /// several images.
  [[nodiscard]] virtual bool costly() const { return false; }
  /// Reads slice z: size().x · size().y samples of kind(). Slices are asked for in ascending order,
  /// some may be left out, and each pass over the image begins again, at 0 or later. Errors name
  /// the file; cancelled.
  virtual Status read(std::int64_t z, void* out, const JobContext& context) = 0;
};

/// Bytes of a sample.
inline std::size_t sample_bytes(SampleKind kind) {
  return kind == SampleKind::u8 ? 1 : kind == SampleKind::u16 ? 2 : 4;
}

}  // namespace aprscope
