#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/scratch_floats.hpp"

namespace aprscope {

/// Lists of floats on a disk, see ScratchFloats, for work that looks at them stretch by stretch and
/// holds few of them in its own memory at a time.
class DiskFloats {
 public:
  /// A list of zeros, which stays until this object goes. Errors: those of ScratchFloats.
  Result<std::span<float>> take(std::uint64_t count);
  /// Takes all lists out of the memory of this process; their values stay, and come back when they
  /// are looked at. Call it between stretches, from one thread.
  void leave();

 private:
  std::vector<ScratchFloats> lists_;
};

}  // namespace aprscope
