#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file_stamp.hpp"
#include "core/image/volume.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope {

/// One entry of the data list: where its data comes from, not the data.
struct WorkspaceItem {
  /// From 1; `parent` is an earlier item, 0 for none.
  std::uint64_t id = 0;
  std::uint64_t parent = 0;
  std::string name;
  /// Names of what it was made from, for where no item says so.
  std::string origin;
  /// The original and all steps that lead from it; input is empty for the built-in demo image.
  Recipe recipe;
  /// A file that holds exactly this result, and what tells that it still does; empty where it was
  /// never written. No stamp: nobody can tell.
  std::string file;
  std::optional<FileStamp> file_stamp;
  std::vector<StepCost> costs;
  /// Typed by hand, for an original that does not say it; of its results, too.
  std::optional<VoxelSize> voxel;
  /// Rows of a set of projections that reconstructions leave out, see row_ranges().
  std::string left_out{};
  /// Of a measurement of all of a file: the level of it that is shown beside the numbers; 0: of any
  /// other item.
  std::int64_t beside_level = 0;
  friend bool operator==(const WorkspaceItem&, const WorkspaceItem&) = default;
};

}  // namespace aprscope
