#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/side_thread.hpp"

namespace aprscope {

/// Runs several inserters at the same time, each in its own thread, which is kept from one batch of
/// images to the next; the first one runs in the caller's thread.
class SideInserters {
 public:
  explicit SideInserters(std::size_t count) : others_(count > 0 ? count - 1 : 0) {}

  /// Calls insert(i) for each inserter and waits for all, even if one fails. Errors: that of the
  /// first that fails, no memory.
  Status insert(const std::function<Status(std::size_t)>& insert);

 private:
  std::vector<SideThread> others_;
};

/// The error that memory for sums does not suffice.
Error no_memory_for_sums();

}  // namespace aprscope
