#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/side_thread.hpp"

namespace aprscope {

/// What several inserters do at the same time, each in a thread of its own that stays from one
/// batch of images to the next; the first one's is the caller's.
class SideInserters {
 public:
  explicit SideInserters(std::size_t count) : others_(count > 0 ? count - 1 : 0) {}

  /// Calls insert(i) for each and waits for all, also where one fails. Errors: the first one's, no
  /// memory.
  Status insert(const std::function<Status(std::size_t)>& insert);

 private:
  std::vector<SideThread> others_;
};

/// Not enough memory for sums.
Error no_memory_for_sums();

}  // namespace aprscope
