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

/// The basins of a watershed, their tree, and the expensive results of the last cuts.
class PreparedWatershed : public Prepared {
 public:
  Basins basins;
  BasinTree tree;
  BasinRule rule;
  /// Signal of the image, if levels are chosen from it: each cut needs it again.
  std::optional<WallSignal> grey;
  /// For each basin whether it is at the border of the image.
  std::vector<bool> at_border;
  /// The image that was flooded, if it is not the input itself.
  std::optional<Pixels<float>> signal;
  /// With seeds: the number of each seed by the number it is flooded with, which have no gaps.
  std::vector<std::uint32_t> numbers;

  [[nodiscard]] std::uint64_t bytes() const override;

  /// The regions at this depth, found once.
  [[nodiscard]] std::shared_ptr<const RegionTable> cut_at(double depth) const;
  /// The merges of a cut at this depth up to this strength, found once, with some to spare.
  Result<std::shared_ptr<const std::vector<WallMerge>>> merges_at(double depth, double strength,
                                                                  const RegionTable& cut,
                                                                  const Dataset& input,
                                                                  const JobContext& context) const;

  /// Keeps the region of each basin for the labels that `operation` made last. table_for() gives
  /// it again; null: the labels made last are of another operation.
  void keep_table(const Operation& operation, std::shared_ptr<const RegionTable> table) const;
  [[nodiscard]] std::shared_ptr<const RegionTable> table_for(const Operation& operation) const;
  /// Facts about the basins on their image, computed once.
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
