#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.hpp"

namespace aprscope {

/// Floats in a file without a name, which is gone with this object or the process: the system keeps
/// in memory what there is room for, and the rest on the disk. For what is worked on bit by bit,
/// and memory is too small for.
class ScratchFloats {
 public:
  ScratchFloats() = default;
  /// Zeros, in the folder that the environment variable TMPDIR names, else in /var/tmp. All of its
  /// room is taken at once. Errors: there is no such folder, it lies in memory itself, it has not
  /// so much room.
  static Result<ScratchFloats> create(std::uint64_t count);
  ScratchFloats(ScratchFloats&& other) noexcept { swap(other); }
  ScratchFloats& operator=(ScratchFloats&& other) noexcept {
    swap(other);
    return *this;
  }
  ScratchFloats(const ScratchFloats&) = delete;
  ScratchFloats& operator=(const ScratchFloats&) = delete;
  ~ScratchFloats();

  [[nodiscard]] std::span<float> values() const { return {data_, count_}; }
  /// Takes them out of the memory of this process; values stay, and come back when they are looked
  /// at.
  void leave();

 private:
  void swap(ScratchFloats& other) noexcept;

  float* data_ = nullptr;
  std::uint64_t count_ = 0;
};

}  // namespace aprscope
