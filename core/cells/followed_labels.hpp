#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// New numbers for labels.
struct LabelNumbers {
  /// Ascending, without 0, and the number of each.
  std::vector<std::uint32_t> labels;
  std::vector<std::uint32_t> numbers;
  /// How many of them have the number of an earlier object, and how many of those there were.
  std::size_t kept = 0;
  std::size_t earlier = 0;
};

/// Numbers for the objects of a later time point, so that an object keeps its number over time:
/// that of the earlier object that it overlaps most (intersection ÷ union). Objects are paired from
/// the best pair on, each in one pair at most; overlaps below `least` make no pair. Objects without
/// a pair get new numbers, from `last` + 1 on in the order of their labels; `last` is at least the
/// largest of `before`. The same for any numbering of `now`, except for the order of new objects
/// and of equally good pairs. Errors: lengths differ, more than 2^32 − 2 numbers, cancelled. Throws
/// std::bad_alloc.
Result<LabelNumbers> follow_labels(const Labels& before, const Labels& now, double least,
                                   std::uint32_t last, const JobContext& context = {});

/// `labels`, all of which `numbers` has, with their new numbers; findings get these, too. Throws
/// std::bad_alloc.
Labels renamed(Labels labels, const LabelNumbers& numbers);

}  // namespace aprscope
