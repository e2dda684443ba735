#pragma once

#include <vector>

#include "core/apr/convert/conversion_kernels.hpp"
#include "gpu/convert/image_slices.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// A set of cells of a level on the device, one bit a cell, rows along y in whole words.
struct CellBits {
  GridSize size;
  int words = 0;
  std::uint32_t* bits = nullptr;
};

/// The pulling scheme on the device, see pulling_scheme(): local levels, then which cells are
/// particles. Needs level_max ≥ 2.
class ParticleCells {
 public:
  /// `rule`: the thresholds, from LevelRule::row(); gradient and scale (device) on the half grid of
  /// an image of `size`. Enqueues all; throws a Failure.
  ParticleCells(const Size3& size, int level_max, const LevelRow& rule, const float* gradient,
                const float* scale, bool neighbourhood_optimisation, cudaStream_t stream);

  [[nodiscard]] int level_max() const { return level_max_; }
  /// Particles of level 1 ≤ l < level_max. Those of level_max are the pixels of refined().
  [[nodiscard]] const CellBits& cells(int level) const {
    return levels_[static_cast<std::size_t>(level)].cells;
  }
  /// Cells of level_max − 1 that are divided into pixels, i.e. particles of level_max.
  [[nodiscard]] const CellBits& refined() const {
    return levels_[static_cast<std::size_t>(level_max_ - 1)].refined;
  }
  /// Cells of level 0 ≤ l < level_max that hold finer particles.
  [[nodiscard]] const CellBits& interior(int level) const {
    return level == level_max_ - 1 ? refined() : levels_[static_cast<std::size_t>(level)].interior;
  }

  static std::uint64_t estimate_bytes(const Size3& size);

 private:
  struct Level {
    CellBits seed, ascendant, occupied, filling, refined, cells, interior;
  };
  void classify(const LevelRow& rule, const float* gradient, const float* scale);

  int level_max_;
  cudaStream_t stream_;
  std::vector<Level> levels_;
  std::vector<GridSize> grids_;
  DeviceBuffer<std::uint32_t> bits_;
  DeviceBuffer<std::uint8_t> largest_;
};

}  // namespace aprscope::gpu
