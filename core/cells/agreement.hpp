#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Objects matched one to one, among pairs that overlap by at least a share of their union.
struct ObjectMatches {
  std::size_t matched = 0;
  /// Matched share of found objects, of true ones, their harmonic mean; 0 where there are none.
  double precision = 0.0;
  double recall = 0.0;
  double f1 = 0.0;
};

/// How labels agree with true ones. IoU: pixels in both ÷ pixels in either.
struct LabelAgreement {
  std::size_t truths = 0;
  std::size_t found = 0;
  /// The mean over true objects of the largest IoU with a found one; of all, and of those of at
  /// least the asked number of pixels. NaN where there are none.
  double mean_best_iou = 0.0;
  std::size_t large_truths = 0;
  double mean_best_iou_large = 0.0;
  ObjectMatches at_half;
  ObjectMatches at_three_quarters;
  /// Variation of information (Meilă 2007) in bits, over the pixels of true objects: what the found
  /// label leaves open where the true one is known (objects in pieces), and the other way round
  /// (objects run together).
  double split_bits = 0.0;
  double merge_bits = 0.0;
};

/// Compares labels of the same image; 0 is no object in either. `large`: what counts as a large
/// true object, in pixels. Errors: lengths differ, cancelled. Throws std::bad_alloc.
Result<LabelAgreement> compare_labels(const Labels& truth, const Labels& found,
                                      std::uint64_t large = 500, const JobContext& context = {});

}  // namespace aprscope
