#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/slice_span.hpp"
#include "core/base/result.hpp"
#include "core/filter/stencil_pyramid.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {

/// Values that sums are added up over at once, see EstimateUpdate.
inline constexpr std::uint64_t kValuesOfPart = 8192;

/// How the ranks of a run share iterations on particles. Each makes the blurred values of the
/// particles whose cells begin in its slices, and receives those of others as far as its own blur
/// will reach: those values it *knows*. What is done value by value it does with all that it knows,
/// in whole parts of kValuesOfPart, so that sums over parts are those of one process. Levels up to
/// coarsest() have few particles, and all ranks know them.
class BlurShares {
 public:
  /// Slices of about as many particles each. `reach` is blur_reach() of what is applied; none: all
  /// ranks know everything. `access` and `ranks` must outlive it.
  BlurShares(const AprAccess& access, std::optional<std::int64_t> reach, Ranks& ranks);

  /// The slices of this rank; empty where there are more ranks than slices to share.
  [[nodiscard]] const SliceSpan& slices() const { return own_; }
  /// The slices around them whose values it knows.
  [[nodiscard]] const SliceSpan& known() const { return known_; }
  [[nodiscard]] bool knows_everything() const { return everything_; }
  [[nodiscard]] int coarsest() const { return coarsest_; }

  /// A stretch [begin, end) of values, cells or parts.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// The parts whose values it knows.
  [[nodiscard]] const std::vector<Run>& known_parts() const { return parts_; }

  /// Sends the values of this rank's particles to those who will know them, and receives. `mine`:
  /// whether they were made. Errors: that of any rank, the same on all; see Ranks::agree().
  Status share(const Status& mine, std::span<float> values);
  /// The same of the interior cells of coarsest(), to all.
  Status share_tree(const Status& mine, std::span<float> tree);
  /// Makes all values known to all.
  Status gather(std::span<float> values);
  /// Receives what others have added up over parts that they own. As nothing may fail between a
  /// share() and this, iterations can only be stopped in a blur.
  template <class Sums>
  void complete(std::vector<Sums>& parts) {
    move(std::as_writable_bytes(std::span(parts)), sizeof(Sums), part_ways_);
  }

 private:
  // Stretches that go to each rank, and that come from it.
  struct Ways {
    std::vector<std::vector<Run>> out, in;
  };
  struct Share;
  void move(std::span<std::byte> bytes, std::size_t size, const Ways& ways);

  Ranks& ranks_;
  int coarsest_;
  bool everything_;
  SliceSpan own_, known_;
  std::vector<Run> parts_;
  Ways value_ways_, all_ways_, tree_ways_, part_ways_;
};

/// Slices that a blur by these stencils reaches over on the levels beyond BlurShares::coarsest().
std::int64_t blur_reach(const AprAccess& access, const StencilPyramid& stencils);

}  // namespace aprscope
