#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/raycast/ray_camera.hpp"
#include "core/apr/raycast/translucency.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/colormap.hpp"
#include "core/image/profile.hpp"

namespace aprscope::gui {

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
  /// The colours of `colormap` where they came from a file; none: the program has them.
  std::optional<ColorTable> colours{};
  friend bool operator==(const WorkspaceDisplay&, const WorkspaceDisplay&) = default;
};

/// Where a slice view looks, see SliceCamera; fitted: all of the slice.
struct WorkspaceCamera {
  bool fitted = true;
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
  friend bool operator==(const WorkspaceCamera&, const WorkspaceCamera&) = default;
};

/// A place that views come back to.
struct WorkspaceBookmark {
  std::string name;
  /// The data that it is a place in: pixels and their sides, which positions below count. Zeros:
  /// unknown.
  Size3 size{0, 0, 0};
  VoxelSize voxel{};
  Index3 crosshair{0, 0, 0};
  /// Of the slices perpendicular to z, x, y.
  std::array<WorkspaceCamera, 3> slices;
  std::optional<RayCamera> camera;
  std::optional<Region> clip;
};

struct WorkspaceViews {
  /// "all", "xy", "3d", "yz", "xz".
  std::string shown = "all";
  bool captions = true;
  bool heads_up = true;
  bool box = true;
  bool planes = true;
  bool slices_in_3d = false;
  /// Translucent matter in the 3-D view, and its depth as a share of mean_side().
  bool translucent = false;
  double depth = kUsualDepth;
  /// Of the slices perpendicular to z, x, y.
  std::array<WorkspaceCamera, 3> slices;
  /// Of the 3-D view; none: as it is when data is opened.
  std::optional<RayCamera> camera;
  /// The clipping box; none: there is none.
  std::optional<Region> clip;
  std::vector<WorkspaceBookmark> bookmarks;
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

}  // namespace aprscope::gui
