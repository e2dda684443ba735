#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/image/region.hpp"
#include "core/io/apr/apr_rewrite.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/filter/slab_room.hpp"

namespace aprscope {

/// What a slab knows of the levels that are filtered whole, when all slabs are done.
struct CoarseShare {
  /// Results of particles of the coarsest level of slabs: so many of each run, which begin at `to`.
  struct Run {
    std::uint64_t to = 0;
    std::uint64_t count = 0;
  };
  std::vector<Run> runs;
  std::vector<float> results;
  /// The interior cells of that level in the slab: y, one past the last of each row, and the means
  /// of the source and (where they are wanted) of the result.
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> row_ends;
  std::vector<float> before, after;
};

/// The error of a result of another process that cannot be one.
Error not_a_result();

/// As bytes for another process on the same kind of machine; the way back. Errors: bytes that are
/// no share.
std::vector<std::byte> bytes_of(const CoarseShare& share);
Result<CoarseShare> coarse_share_of(std::span<const std::byte> bytes);

/// Filters a part, with the means of its tree; writes inside `region` (of the part) only. Errors:
/// cancelled, out of memory.
using FilterAprPart =
    std::function<Status(const AprPart& part, std::span<const float> tree, const Region& region,
                         std::span<float> out, const JobContext& context)>;

/// Share of the progress for slabs; the rest is for the coarse levels.
inline constexpr double kShareOfSlabs = 0.97;

/// What is done in slabs.
struct SlabWork {
  FilterAprPart filter;
  /// The filter's name in errors of values that it should not get or give; empty: any are taken.
  std::string checked_as;
  /// Whether to put the means of the results on the tree, too.
  bool with_tree = false;
  /// Keeps what slabs leave, and the values that the file uses in the place of its field; null:
  /// nothing is kept.
  SlabRoom* room = nullptr;
  std::span<const float> values{};
};

/// Filters the particles of a file in slabs that know nothing of each other, and at last what is
/// coarser than they are. One thread at a time.
class SlabFilter {
 public:
  /// File and plan must outlive it; the file has read the levels to the plan's coarsest.
  SlabFilter(const AprFileSlabs& file, const SlabPlan& slabs, SlabWork work)
      : file_(file), slabs_(slabs), work_(std::move(work)) {}

  /// Checks the coarse levels, before the first slab. Errors: values that are not finite.
  [[nodiscard]] Status check_coarse() const;

  [[nodiscard]] std::int64_t count() const {
    return static_cast<std::int64_t>(slabs_.cuts.size()) - 1;
  }
  /// Filters slab `index` and puts its results. Errors: those of reading and of the sink, values
  /// that are not finite.
  Result<CoarseShare> slab(std::int64_t index, AprValueSink& sink, const JobContext& context) const;

  /// Filters all slabs, one after the other, and the coarse levels. `after` is called after each
  /// slab. Errors: those of slab() and coarse().
  Status run(AprValueSink& sink, const JobContext& context,
             const std::function<void()>& after = {}) const;

  /// Filters and puts the coarse levels, from the shares of all slabs in order.
  Status coarse(std::vector<CoarseShare> shares, AprValueSink& sink,
                const JobContext& context) const;

 private:
  class Coarse;
  [[nodiscard]] Status check_source(std::span<const float> values, std::int64_t begin,
                                    std::int64_t end) const;
  [[nodiscard]] Status check_result(std::span<const float> values) const;
  Status put(const AprPart& part, std::span<const float> out, AprValueSink* sink,
             CoarseShare& share) const;
  Status keep_interior(const AprPart& part, const Region& kept, std::int64_t first_slice,
                       std::span<float> tree, std::span<const float> out, AprValueSink& sink,
                       CoarseShare& share, const JobContext& context) const;

  const AprFileSlabs& file_;
  const SlabPlan& slabs_;
  SlabWork work_;
};

}  // namespace aprscope
