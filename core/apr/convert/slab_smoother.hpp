#pragma once

#include <vector>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/convert/slice_source.hpp"
#include "core/apr/convert/smoother_plan.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// Smoothing B-spline coefficients of an image, made in blocks of a few slices in ascending order,
/// so that neither the image nor its coefficients need to lie in memory. What a block needs of the
/// slices behind it comes from weighted sums of their samples, so that the coefficients do not
/// depend on what else is in memory.
class SlabSmoother {
 public:
  static constexpr std::int64_t kSlices = SmootherPlan::kSlices;
  using Block = SmootherPlan::Block;

  /// Throws std::bad_alloc.
  SlabSmoother(const Size3& size, SampleKind kind, double lambda, int threads);

  [[nodiscard]] const Size3& size() const { return plan_.size; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return plan_.blocks; }

  /// Makes the coefficients of a block; call in order. raw[z − block.raw_begin] is slice z of the
  /// image. The first sample of the image is subtracted throughout, so that a constant image is
  /// exactly 0. Meanwhile one of the threads calls `also` once. False when cancelled.
  template <class Also>
  bool run(const Block& block, const std::vector<const void*>& raw, const JobContext& context,
           const Also& also) {
    if (!run_zy(block, raw, context.part(0.0, 0.7))) return false;
    const bool going = parallel_items(
        x_items(block) + 1, threads_, context.part(0.7, 1.0), "smoothing",
        [&](std::int64_t i, int thread) { i == 0 ? also() : x_item(block, i - 1, thread); });
    ++blocks_made_;
    last_end_ = block.end;
    return going;
  }
  bool run(const Block& block, const std::vector<const void*>& raw, const JobContext& context) {
    return run(block, raw, context, [] {});
  }

  /// Coefficients of row (z, x), less offset(), without the factor norm(); slices of the last block
  /// and the two before it. The values before the first and behind the last are repeated.
  [[nodiscard]] const float* row(std::int64_t z, std::int64_t x) const {
    return ring_.data() + (z % kSlots) * plane_ + x * pitch_ + kPad;
  }
  [[nodiscard]] float offset() const { return offset_; }
  [[nodiscard]] float norm() const { return plan_.norm; }
  /// False as soon as a sample was read that cannot be computed with, see is_usable().
  [[nodiscard]] bool usable() const;
  /// Differences between neighbouring coefficients up to this are rounding errors (grey values);
  /// valid after the last block.
  [[nodiscard]] float noise() const;

 private:
  static constexpr std::int64_t kSlots = kSlices + 2;

  bool run_zy(const Block& block, const std::vector<const void*>& raw, const JobContext& context);
  [[nodiscard]] std::int64_t x_items(const Block& block) const;
  void x_item(const Block& block, std::int64_t item, int thread);
  void zy_rows(const Block& block, const std::vector<const void*>& raw, std::int64_t begin,
               std::int64_t end, int thread);
  void x_columns(std::int64_t z, std::int64_t column, int thread);
  float* at(std::int64_t z, std::int64_t x) {
    return ring_.data() + (z % kSlots) * plane_ + x * pitch_ + kPad;
  }

  SmootherPlan plan_;
  SampleKind kind_;
  int threads_;
  // Floats from row to row and from slice to slice; no powers of two, which caches dislike.
  std::int64_t pitch_;
  std::int64_t plane_;
  // … and from one group of what is kept of each row to the next, see SliceRows.
  std::int64_t group_ = 0;
  // Floats of scratch for lines, see LineScratch.
  std::int64_t lines_ = 0;
  std::int64_t tail_ = 0;
  float offset_ = 0.0F;
  // The causal results of the last two slices; all pairs behind a block but the last.
  Scratch<float> kept_;
  std::int64_t blocks_made_ = 0;
  std::int64_t last_end_ = 0;
  Scratch<float> ring_;
  std::vector<Scratch<float>> scratch_;
  std::vector<RangeSeen> seen_;
};

}  // namespace aprscope
