#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/cells/background_cell.hpp"
#include "core/cells/basin_tree.hpp"
#include "core/cells/wall_merges.hpp"
#include "core/cells/wall_signal.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// The basins of a watershed, their tree, and what the last cuts took long for.
class PreparedWatershed : public Prepared {
 public:
  Basins basins;
  BasinTree tree;
  BasinRule rule;
  /// Of the image, where numbers are chosen from it: each cut asks for it again.
  std::optional<WallSignal> grey;
  /// By basin.
  std::vector<bool> at_border;
  /// What was flooded, where that is not the image itself.
  std::optional<Pixels<float>> signal;
  /// Of seeds: their numbers by those that they are flooded with, which have no gaps.
  std::vector<std::uint32_t> numbers;

  [[nodiscard]] std::uint64_t bytes() const override;

  /// The regions at this depth, found once.
  [[nodiscard]] std::shared_ptr<const RegionTable> cut_at(double depth) const;
  /// The merges of a cut at this depth up to this strength, found once, with some to spare.
  Result<std::shared_ptr<const std::vector<WallMerge>>> merges_at(double depth, double strength,
                                                                  const RegionTable& cut,
                                                                  const Dataset& input,
                                                                  const JobContext& context) const;

  /// The region of each basin that labels were made of last, and for which operation; null: for
  /// another one.
  void keep_table(const Operation& operation, std::shared_ptr<const RegionTable> table) const;
  [[nodiscard]] std::shared_ptr<const RegionTable> table_for(const Operation& operation) const;
  /// What is seen of the basins on their image, looked at once.
  [[nodiscard]] std::shared_ptr<const SeenObjects> seen_on(const Dataset& input) const;

 private:
  struct Walls {
    RegionTable regions;
    RegionWalls walls;
  };
  Result<std::shared_ptr<const Walls>> walls_of(const RegionTable& cut, const Dataset& input,
                                                const JobContext& context) const;

  mutable std::mutex mutex_;
  mutable std::optional<double> cut_at_;
  mutable std::shared_ptr<const RegionTable> cut_;
  mutable std::optional<double> merges_at_;
  mutable double strongest_ = 0.0;
  mutable std::shared_ptr<const std::vector<WallMerge>> merges_;
  mutable std::shared_ptr<const Walls> walls_;
  mutable std::optional<Operation> table_of_;
  mutable std::shared_ptr<const RegionTable> table_;
  mutable std::shared_ptr<const SeenObjects> seen_;
};

}  // namespace aprscope
