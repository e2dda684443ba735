#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/filter/kernels.hpp"

namespace aprscope::detail {

/// Reflects index i about the edge cells (… 2 1 0 1 2 …) until it lies inside [0, n).
inline std::int64_t reflect_index(std::int64_t i, std::int64_t n) {
  if (n == 1) return 0;
  if (i >= 0 && i < n) return i;
  const std::int64_t period = 2 * (n - 1);
  // One reflection mostly suffices: without a division.
  const std::int64_t once = i < 0 ? -i : period - i;
  if (once >= 0 && once < n) return once;
  i %= period;
  if (i < 0) i += period;
  return i < n ? i : period - i;
}

/// Rows of a level are worked on in quads: (2Z, 2Z + 1) × (2X, 2X + 1); a dimension of one cell has
/// quads of one row. A slab is what one task computes: quads [z0, z1) × [x0, x1), and of their rows
/// the blocks [b0, b1), at most 64, b0 a multiple of 8.
struct Slab {
  int level = 0;
  Size3 grid{1, 1, 1};
  Size3 radius{0, 0, 0};  // cells around an output that it depends on
  Region wanted;          // in cells of the level; only these are computed
  std::int64_t z0 = 0, z1 = 0;
  std::int64_t x0 = 0, x1 = 0;
  std::int64_t b0 = 0, b1 = 0;
  bool image = false;  // cells are pixels: rows can be read where they lie

  [[nodiscard]] int outputs_z() const { return grid.z == 1 ? 1 : 2; }
  [[nodiscard]] int outputs_x() const { return grid.x == 1 ? 1 : 2; }
  [[nodiscard]] int outputs() const { return outputs_z() * outputs_x(); }
  /// Quads of the grid, and around the slab's own ones that are read too.
  [[nodiscard]] std::int64_t quads_z() const { return (grid.z + 1) / 2; }
  [[nodiscard]] std::int64_t quads_x() const { return (grid.x + 1) / 2; }
  [[nodiscard]] std::int64_t halo_z() const { return (radius.z + 1) / 2; }
  [[nodiscard]] std::int64_t halo_x() const { return (radius.x + 1) / 2; }
  [[nodiscard]] std::int64_t first_z() const { return std::max<std::int64_t>(0, z0 - halo_z()); }
  [[nodiscard]] std::int64_t last_z() const { return std::min(quads_z(), z1 + halo_z()); }
  [[nodiscard]] std::int64_t first_x() const { return std::max<std::int64_t>(0, x0 - halo_x()); }
  [[nodiscard]] std::int64_t last_x() const { return std::min(quads_x(), x1 + halo_x()); }

  /// Dense rows hold the cells [base, base + stride), blocks around the slab's own ones included.
  [[nodiscard]] std::int64_t halo_blocks() const { return (radius.y + kBlock - 1) / kBlock; }
  [[nodiscard]] std::int64_t base() const { return (b0 - halo_blocks()) * kBlock; }
  [[nodiscard]] std::int64_t stride() const { return (b1 - b0 + 2 * halo_blocks() + 1) * kBlock; }
  /// Words of bits that hold one for each pair of cells.
  [[nodiscard]] std::int64_t words() const { return (b1 - b0 + 7) / 8; }
};

/// Pairs of cells (2k, 2k + 1) of a slab's part of a row, counted from its first block: one bit
/// each.
struct PairMask {
  std::array<std::uint64_t, 8> words{};
};

/// Adds to a list where runs of 16 cells begin, in ascending order, at even cells of the grid, that
/// together hold all pairs whose bit is set: each begins at the first pair that none holds so far.
inline void list_runs(const std::uint64_t* words, const Slab& slab,
                      std::vector<std::int32_t>& starts) {
  constexpr std::int64_t kPairs = kBlock / 2;
  const std::int64_t first = slab.b0 * kBlock;
  std::int64_t next = 0;
  for (std::int64_t w = 0; w < slab.words(); ++w) {
    std::uint64_t left = words[w];
    if (next > 64 * w) left &= ~((std::uint64_t{1} << (next - 64 * w)) - 1);
    while (left != 0) {
      const std::int64_t at = 64 * w + __builtin_ctzll(left);
      starts.push_back(static_cast<std::int32_t>(first + 2 * at));
      next = at + kPairs;
      if (next >= 64 * (w + 1)) break;
      left &= ~((std::uint64_t{1} << (next - 64 * w)) - 1);
    }
  }
}

/// Results of runs of 16 cells: those of run i for output o lie at rows[o] + at[i].
struct RunValues {
  std::array<const float*, 4> rows{};
  const std::int32_t* at = nullptr;

  /// Results of at most 64 runs one after another, output by output.
  static RunValues packed(const float* values, int outputs) {
    constexpr auto places = [](std::int32_t step) {
      std::array<std::int32_t, 64> all{};
      for (std::int32_t i = 0; i < 64; ++i) all[static_cast<std::size_t>(i)] = i * step;
      return all;
    };
    constexpr auto kBlockPlaces = static_cast<std::int32_t>(kBlock);
    static constexpr std::array<std::array<std::int32_t, 64>, 3> kAt{
        places(kBlockPlaces), places(2 * kBlockPlaces), places(4 * kBlockPlaces)};
    RunValues runs;
    for (int o = 0; o < outputs; ++o) {
      runs.rows[static_cast<std::size_t>(o)] = values + o * kBlock;
    }
    runs.at = kAt[static_cast<std::size_t>(outputs / 2)].data();
    return runs;
  }
};

/// Source of a slab's rows and sink of results: particles or pixels. One for each thread.
class QuadSource {
 public:
  virtual ~QuadSource() = default;
  /// Takes the memory that slabs of this shape need. Throws std::bad_alloc.
  virtual void reserve(const Slab& largest) = 0;
  /// Turns to a slab. False when nothing is to be computed there.
  virtual bool open(const Slab& slab) = 0;
  /// Pairs of cells of the quad row (z, x) that are computed, in slab.words() words as PairMask.
  [[nodiscard]] virtual const std::uint64_t* active(std::int64_t z, std::int64_t x) const = 0;
  /// The first quad of plane z from x on in which cells are computed; in which cells are needed. If
  /// there is none, the end of the slab; of what the slab reads.
  [[nodiscard]] virtual std::int64_t next_active(std::int64_t z, std::int64_t x) const = 0;
  [[nodiscard]] virtual std::int64_t next_needed(std::int64_t z, std::int64_t x) const = 0;
  /// Writes what active cells depend on to the four dense rows of a quad (in the order of z, then
  /// x, those that exist), as far as that lies in the grid. Says whether that reaches so close to
  /// an end of the rows that they need cells beyond it.
  enum class Filled { inside, with_ends };
  virtual Filled fill(std::int64_t z, std::int64_t x, float* const* rows) = 0;
  /// Takes the results of runs of 16 cells that begin at `starts`, even numbers.
  virtual void store(std::int64_t z, std::int64_t x, const std::int32_t* starts, std::int64_t count,
                     const RunValues& values) = 0;
  /// For slabs of an image: its pixels; where results begin; and a function that stores the results
  /// of cells [begin, end) of one row, from `values` on. Particles have none of these.
  [[nodiscard]] virtual const Pixels<float>* image() const { return nullptr; }
  [[nodiscard]] virtual const float* result_rows() const { return nullptr; }
  virtual void store_row(std::int64_t /*z*/, std::int64_t /*x*/, std::int64_t /*begin*/,
                         std::int64_t /*end*/, const float* /*values*/) {}
  /// Ends a slab: other threads can see what was stored.
  virtual void close() {}
};

}  // namespace aprscope::detail
