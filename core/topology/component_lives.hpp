#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/topology/merge_tree.hpp"

namespace aprscope {

/// A piece of level sets, from the level at which it appears to the one at which it becomes part of
/// an older piece (persistence pair of dimension 0).
struct ComponentLife {
  /// Places of levels; `death` is MergeTree::kNever for the piece that all become part of.
  std::uint32_t birth = 0;
  std::uint32_t death = 0;
  /// The pixel that it began with, of several the first, as an index in the order z, x, y.
  std::uint64_t position = 0;
  /// Pixels of it just before its end; of the piece that never ends, of the image.
  std::uint64_t size = 0;
  friend bool operator==(const ComponentLife&, const ComponentLife&) = default;
};

/// Sizes of pieces when they end, from the cells of basins in any order.
class LifeSizes {
 public:
  explicit LifeSizes(const MergeTree& tree) : tree_(tree), sizes_(tree.birth.size()) {}

  /// Adds cells for one thread; neighbours, which mostly are of one piece, at once. All is there
  /// when it is gone.
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

  /// Once all cells are there: what ended before counts where it ended.
  std::vector<std::uint64_t> take();

 private:
  const MergeTree& tree_;
  std::vector<std::uint64_t> sizes_;
};

/// The `most` basins that live longest as pieces of their own: first the one that never ends, then
/// by the difference of levels, then the eldest. Those that end at the place at which they began
/// are none. `position`: as in merge_basins(). Of sets without an exterior.
std::vector<std::uint32_t> longest_lived(const MergeTree& tree, std::span<const double> levels,
                                         std::span<const std::uint64_t> position, std::size_t most);

}  // namespace aprscope
