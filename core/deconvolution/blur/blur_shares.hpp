#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/slice_range.hpp"
#include "core/base/result.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {

/// The particles of which each of several ranks makes the blurred values: those whose cells begin
/// in its slices. All ranks hold all values, so that each can do all else alone and alike.
class BlurShares {
 public:
  /// Shares of about as many particles each, cut between pairs of slices. `ranks` must outlive it.
  BlurShares(const AprAccess& access, Ranks& ranks);

  /// The slices of this rank; empty where there are more ranks than pairs of slices.
  [[nodiscard]] const SliceRange& slices() const {
    return shares_[static_cast<std::size_t>(ranks_.place().rank)].slices;
  }
  /// Sends the values of this rank's particles to all others and receives theirs. `mine`: whether
  /// these values were made. Errors: that of any rank, the same on all; see Ranks::agree().
  Status share(const Status& mine, std::span<float> values);

 private:
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  struct Share {
    SliceRange slices;
    /// Of each level.
    std::vector<Run> runs;
  };

  Ranks& ranks_;
  std::vector<Share> shares_;
};

}  // namespace aprscope
