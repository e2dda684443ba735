#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/apr/structure/bit_grid.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The local level of a voxel, L = floor(log2(2^level_max · min(d) · |∇| / (σ E))) after the
/// thresholds, clamped to [1, level_max − 1]; needs level_max ≥ 2. `parameters` holds the
/// thresholds to apply.
class LevelRule {
 public:
  LevelRule(const ConversionParameters& parameters, int level_max);
  void apply(const MaskedVoxels& voxels, std::uint8_t* levels) const;
  /// The parameters of the kernel, without voxels; `noise` as in MaskedVoxels.
  [[nodiscard]] LevelRow row(float noise) const;

 private:
  ConversionParameters parameters_;
  int level_max_;
  float factor_;
};

/// The gradient of voxels, −1 where the intensity is at or below `least`; see MaskedVoxels.
void mask_gradient(const float* gradient, const float* intensity, float least, std::int64_t count,
                   float* masked);

/// The local levels of an image, as the pulling scheme reads them: the voxels of the half grid
/// whose level is level_max − 1, and the largest level in each 2×2×2 of them. 1/32 byte a pixel.
class LevelMap {
 public:
  LevelMap() = default;
  /// A map without levels for an image of `size`; level_max ≥ 2. Throws std::bad_alloc.
  LevelMap(const Size3& size, int level_max);

  /// Rows of levels are given padded to a multiple of this, 0 behind their end.
  static constexpr std::int64_t kPadded = 64;
  /// Takes the levels of rows 2 · pair and (unless null) 2 · pair + 1 of plane h. Plane 2k comes
  /// before plane 2k + 1.
  void add(std::int64_t h, std::int64_t pair, const std::uint8_t* first,
           const std::uint8_t* second);

  /// The voxels of the half grid whose level is level_max − 1.
  [[nodiscard]] const BitGrid& finest() const { return finest_; }
  /// The largest level in each 2×2×2 voxels of the half grid, on the grid of level_max − 2.
  [[nodiscard]] const Pixels<std::uint8_t>& coarse() const { return coarse_; }
  /// The same, moved out of the map.
  [[nodiscard]] BitGrid take_finest() { return std::move(finest_); }
  [[nodiscard]] Pixels<std::uint8_t> take_coarse() { return std::move(coarse_); }

 private:
  int top_ = 1;
  BitGrid finest_;
  Pixels<std::uint8_t> coarse_;
};

/// Adds planes [begin, end) of the half grid, in parallel. `voxels` holds the planes from `begin`
/// on one after another. False when cancelled.
bool add_levels(const MaskedVoxels& voxels, const LevelRule& rule, std::int64_t begin,
                std::int64_t end, LevelMap& map, const JobContext& context);

/// The same for a whole image.
bool add_levels(const GradientScale& input, const ConversionParameters& parameters, int level_max,
                LevelMap& map, const JobContext& context);

}  // namespace aprscope
