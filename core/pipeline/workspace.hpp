#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/base/file_stamp.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/colormap.hpp"
#include "core/image/profile.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope {

/// How a channel was shown among others.
struct WorkspaceChannel {
  bool visible = true;
  Rgb colour{255, 255, 255};
  /// None: automatic.
  std::optional<Contrast> contrast;
  friend bool operator==(const WorkspaceChannel&, const WorkspaceChannel&) = default;
};

/// How an item was shown. Words that a program does not know are for it to replace.
struct WorkspaceDisplay {
  /// "pixel", "constant", "smooth", "level", "dots".
  std::string mode = "constant";
  Contrast contrast;
  std::string colormap = "grey";
  bool scale_bar = true;
  bool crosshair = true;
  /// All channels over each other; one entry a channel where they ever were.
  bool composite = false;
  std::vector<WorkspaceChannel> channels{};
  friend bool operator==(const WorkspaceDisplay&, const WorkspaceDisplay&) = default;
};

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
  WorkspaceDisplay display;
  friend bool operator==(const WorkspaceItem&, const WorkspaceItem&) = default;
};

/// Where a slice view looks, see SliceCamera; fitted: all of the slice.
struct WorkspaceCamera {
  bool fitted = true;
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
  friend bool operator==(const WorkspaceCamera&, const WorkspaceCamera&) = default;
};

struct WorkspaceViews {
  /// "all", "xy", "3d", "yz", "xz".
  std::string shown = "all";
  bool captions = true;
  bool heads_up = true;
  bool box = true;
  bool planes = true;
  /// Of the slices perpendicular to z, x, y.
  std::array<WorkspaceCamera, 3> slices;
  /// Of the 3-D view; none: as it is when data is opened.
  std::optional<RayCamera> camera;
};

struct WorkspaceComparison {
  bool active = false;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  /// "side", "reveal", "difference", "three".
  std::string mode = "side";
  /// "xy", "3d", "yz", "xz".
  std::string place = "xy";
  bool same_contrast = true;
  double reveal = 0.5;
  double difference_range = 0.0;
  bool line_tool = false;
  std::optional<PlaneLine> line;
  int line_width = 1;
};

/// What the window held: data (as paths and steps), views and comparison.
struct Workspace {
  std::vector<WorkspaceItem> items;
  std::uint64_t current = 0;
  Index3 crosshair{0, 0, 0};
  WorkspaceViews views;
  WorkspaceComparison comparison;
};

/// JSON with a version: {"aprscope_workspace": 1, "items": […], …}. Reading checks everything;
/// errors name the item and the key. What is missing has its default.
std::string to_json(const Workspace& workspace);
Result<Workspace> workspace_from_json(const std::string& text);

/// Paths are written as they are and as seen from the file's folder; reading takes the first that
/// exists, so that a folder can move with its data. Errors: those of the file system and above.
Status save_workspace(const Workspace& workspace, const std::filesystem::path& path);
Result<Workspace> load_workspace(const std::filesystem::path& path);

}  // namespace aprscope
