#pragma once

#include <cstdint>

namespace aprscope::test {

/// While it lives, the `number`-th allocation (counted from 1) of the whole process fails, in
/// whichever thread it comes; with `lasting`, all that follow it too.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t number, bool lasting = false);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether so many allocations came at all.
  static bool came();
};

}  // namespace aprscope::test
