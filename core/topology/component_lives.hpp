#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/topology/merge_tree.hpp"

namespace aprscope {

/// A piece of level sets, from the level at which it appears to the one at which it becomes part of
/// an older piece (persistence pair of dimension 0).
struct ComponentLife {
  /// Places of levels; `death` is MergeTree::kNever for the piece that takes in all others.
  std::uint32_t birth = 0;
  std::uint32_t death = 0;
  /// The first pixel of those that it began with, as an index in the order z, x, y.
  std::uint64_t position = 0;
  /// Its pixels just before its end; for the piece that never ends, all of the image.
  std::uint64_t size = 0;
  friend bool operator==(const ComponentLife&, const ComponentLife&) = default;
};

/// Sizes of pieces when they end, from the cells of basins in any order.
class LifeSizes {
 public:
  explicit LifeSizes(const MergeTree& tree) : tree_(tree), sizes_(tree.birth.size()) {}

  /// Adds cells for one thread; sums up neighbours, which mostly belong to one piece. The sizes are
  /// complete when the Adder is destroyed.
  class Adder {
   public:
    explicit Adder(LifeSizes& sizes) : sizes_(sizes) {}
    Adder(const Adder&) = delete;
    Adder& operator=(const Adder&) = delete;
    ~Adder() { flush(); }
    /// A cell of a basin that entered at `place`.
    void add(std::uint32_t basin, std::uint32_t place, std::uint64_t pixels);

   private:
    void flush();

    LifeSizes& sizes_;
    std::uint32_t basin_ = 0;
    std::uint64_t pixels_ = 0;
  };

  /// Sizes once all cells are added: an ended piece counts in the piece it became part of, too.
  std::vector<std::uint64_t> take();

 private:
  const MergeTree& tree_;
  std::vector<std::uint64_t> sizes_;
};

/// The `most` basins that live longest as pieces of their own: first the one that never ends, then
/// by the difference of levels, then the eldest. Basins that end at the place at which they began
/// are left out. `position`: as in merge_basins(). For sets without an exterior.
std::vector<std::uint32_t> longest_lived(const MergeTree& tree, std::span<const double> levels,
                                         std::span<const std::uint64_t> position, std::size_t most);

}  // namespace aprscope
