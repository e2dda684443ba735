#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/io/apr/apr_rewrite.hpp"
#include "core/operations/filter/part_filter.hpp"
#include "core/operations/filter/slab_plan.hpp"
#include "core/operations/schema/operation.hpp"

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

/// Filters the particles of a file in slabs that know nothing of each other, and at last what is
/// coarser than they are. One thread at a time.
class SlabFilter {
 public:
  /// All of these must outlive it; the file has read the levels to the plan's coarsest.
  SlabFilter(const Operation& operation, const AprFileSlabs& file, const PartFilter& filter,
             const SlabPlan& slabs, bool with_tree)
      : operation_(operation), file_(file), filter_(filter), slabs_(slabs), with_tree_(with_tree) {}

  /// Checks the coarse levels, before the first slab. Errors: values that are not finite.
  [[nodiscard]] Status check_coarse() const;

  [[nodiscard]] std::int64_t count() const {
    return static_cast<std::int64_t>(slabs_.cuts.size()) - 1;
  }
  /// Filters slab `index` and puts its results. Errors: those of reading and of the sink, values
  /// that are not finite.
  Result<CoarseShare> slab(std::int64_t index, AprValueSink& sink, const JobContext& context) const;

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

  const Operation& operation_;
  const AprFileSlabs& file_;
  const PartFilter& filter_;
  const SlabPlan& slabs_;
  bool with_tree_;
};

}  // namespace aprscope
