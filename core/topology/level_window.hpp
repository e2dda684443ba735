#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/aligned_vector.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/strata.hpp"
#include "core/topology/strata_kernels.hpp"

namespace aprscope {

/// Three slices of the grid of a level of an APR, as the kernels read them: the places of particles
/// and, next to these, of the larger cells that cover what is round them. Cells far from particles
/// of the level are not filled in. `Given`: the type of the places that particles come with.
template <class Place, class Given>
class LevelWindow {
 public:
  /// `places`: one a particle. In the window places are one higher, or reversed: see
  /// window_place().
  LevelWindow(const AprAccess& access, std::span<const Given> places, int levels,
              Construction construction);

  /// Turns to a part of the grid of a level, with slice z0 − 1 as the first one that load() makes.
  /// Throws std::bad_alloc.
  void open(int level, const GridPart& part);
  /// Fills in the next slice.
  void load();
  /// Row x of the slice before the last one, with all round it; false where no particle of the
  /// level is near. Leaves words and owning alone.
  bool find_row(std::int64_t x, CellStrataRow<Place>& row) const;

 private:
  // With vertices places are reversed, so that 0, the code of outside and divided, is the least.
  [[nodiscard]] Place window_place(Given place) const {
    const auto at = static_cast<int>(place);
    return static_cast<Place>(closed_ ? at + 1 : levels_ - at);
  }
  void find_particles(std::int64_t z);
  bool find_near(std::int64_t z, std::int64_t x, std::uint64_t* near) const;
  void fill_row(std::int64_t z, std::int64_t x);
  void fill_coarse(std::int64_t z, std::int64_t x, std::int64_t word, std::uint64_t cells,
                   Place* row) const;
  [[nodiscard]] Place coarser(int level, std::int64_t z, std::int64_t x, std::int64_t y) const;
  [[nodiscard]] std::uint64_t existing(std::int64_t z, std::int64_t x, std::int64_t word) const;

  [[nodiscard]] bool has(std::int64_t z, std::int64_t x) const {
    return z >= part_.z0 - 1 && z <= part_.z1 && z >= 0 && z < grid_.z && x >= 0 && x < grid_.x;
  }
  [[nodiscard]] std::int64_t slot(std::int64_t z, std::int64_t x, std::int64_t slices) const {
    return (z + slices) % slices * band_ + x - part_.x0 + 1;
  }
  [[nodiscard]] std::int64_t place_row(std::int64_t z, std::int64_t x) const {
    return slot(z, x, 3) * stride_ + kStrataAir;
  }
  // A word before each row of bits.
  [[nodiscard]] std::int64_t bit_row(std::int64_t z, std::int64_t x) const {
    return slot(z, x, kBitSlices) * (blocks_ + 1) + 1;
  }

  // Slices of bits are one ahead.
  static constexpr std::int64_t kBitSlices = 4;

  const LinearAccess& cells_;
  const InteriorMap& interior_;
  std::span<const Given> places_;
  int levels_;
  bool closed_;
  Place outside_;
  int level_ = 0;
  GridPart part_;
  Size3 grid_{1, 1, 1};
  std::int64_t band_ = 0, stride_ = 0, blocks_ = 0;
  std::int64_t next_ = 0;
  AlignedVector<Place> rows_;
  std::vector<Place> outside_row_;
  /// Bits of particles, of cells near them, and whether a row has any.
  std::vector<std::uint64_t> same_, near_;
  std::vector<std::uint64_t> no_bits_;
  std::vector<std::uint8_t> any_same_, any_near_;
};

}  // namespace aprscope
