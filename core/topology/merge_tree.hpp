#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {

/// How basins become one piece, by the elder rule: of two pieces that meet, the one that began
/// later ends.
struct MergeTree {
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  /// Change of the number of pieces at each place.
  std::vector<std::int64_t> change;
  /// For each basin: the place at which it began; the place at which it ended as a piece of its own
  /// (or kNever); the basin whose piece it was part of when all cells of that place had entered.
  /// The last two only if `keep_deaths`.
  std::vector<std::uint16_t> birth;
  std::vector<std::uint32_t> death;
  std::vector<std::uint32_t> into;
};

/// Joins the basins of a growth whose basins have numbers, in the order of places, which are below
/// `levels`. `position`: what decides which of two basins that began at one place
/// is the elder, one a basin (empty: their numbers). `keep_deaths`: fills `death` and `into`.
/// Errors: cancelled. Throws std::bad_alloc.
Result<MergeTree> merge_basins(const Growth& growth, int levels,
                               std::span<const std::uint64_t> position, bool keep_deaths,
                               const JobContext& context = {});

}  // namespace aprscope
