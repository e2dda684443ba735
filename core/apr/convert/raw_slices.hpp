#pragma once

#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// The slices of an image while they are needed: all of them where the image lies in memory, else
/// the last few that were read.
class RawSlices {
 public:
  explicit RawSlices(const Volume& volume);
  /// Keeps no more slices in memory than have to be there at once. Throws std::bad_alloc later on.
  explicit RawSlices(SliceSource& source) : source_(&source) {}

  [[nodiscard]] Size3 size() const;
  [[nodiscard]] SampleKind kind() const;

  /// Slices [begin, end) in `out`, valid until the next call. `begin` and `end` never fall, except
  /// that a new pass starts with begin = 0.
  Status get(std::int64_t begin, std::int64_t end, std::vector<const void*>& out,
             const JobContext& context);

  /// The error that counts the values which are not finite. Looks at all slices.
  [[nodiscard]] Error not_finite(const JobContext& context);

 private:
  const Volume* volume_ = nullptr;
  SliceSource* source_ = nullptr;
  // Memory of a slice, and which one it holds.
  struct Held {
    std::int64_t z = -1;
    Scratch<char> memory;
  };
  std::vector<Held> held_;
  std::int64_t next_ = 0;
};

}  // namespace aprscope
