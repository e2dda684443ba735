#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/convert/bspline.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// How the coefficients of a smoothing B-spline are made in blocks of a few slices: everything that
/// follows from size and λ alone. All smoothers that follow it give the same bits.
struct SmootherPlan {
  /// Slices of a block at most.
  static constexpr std::int64_t kSlices = 8;

  /// A block of slices [begin, end) and the slices [raw_begin, raw_end) of the image that it needs.
  struct Block {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t raw_begin = 0;
    std::int64_t raw_end = 0;
  };
  /// Slices whose weighted sums are the causal results at −1 (`first`) and at −2.
  struct Taps {
    std::vector<std::int64_t> slice;
    std::vector<float> first, second;
  };

  /// Throws std::bad_alloc.
  SmootherPlan(const Size3& image_size, double lambda);

  Size3 size;
  bool filters_z = false, filters_x = false, filters_y = false;
  SplineResponse z;
  SplineFilter x, y;
  /// Factor that the coefficients lack.
  float norm = 1.0F;
  std::vector<Block> blocks;
  Taps before;
  /// For samples behind a block: pairs of weighted sums over kSlices slices each, and matrices that
  /// turn these and the causal results at the block's end into the two results behind it.
  std::int64_t pairs = 0;
  std::vector<float> first_weights, second_weights;
  std::vector<float> state_matrix, pair_matrices;

  /// Slice k of pair m behind a block.
  [[nodiscard]] std::int64_t ahead(std::int64_t end, std::int64_t m, std::int64_t k) const {
    return mirrored_sample(end + m * kSlices + k, size.z);
  }
  /// Differences between neighbouring coefficients up to this are rounding errors (grey values),
  /// where `largest` is the largest |sample − first sample|.
  [[nodiscard]] float noise(float largest) const;

 private:
  [[nodiscard]] Taps taps_before() const;
  void plan_pairs();
  void plan_blocks();
};

}  // namespace aprscope
