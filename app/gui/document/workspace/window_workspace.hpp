#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/document/workspace/workspace_views.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/pipeline/workspace_item.hpp"

namespace aprscope::gui {

/// One entry of the data list, and how it was shown.
struct ShownItem : WorkspaceItem {
  WorkspaceDisplay display;
  friend bool operator==(const ShownItem&, const ShownItem&) = default;
};

/// What the window held: data (as paths and steps), views and comparison.
struct WindowWorkspace {
  std::vector<ShownItem> items;
  std::uint64_t current = 0;
  Index3 crosshair{0, 0, 0};
  WorkspaceViews views;
  WorkspaceComparison comparison;
};

/// The data as core/pipeline/workspace.hpp writes and reads it, with the window's part in the same
/// file; what is said there of errors, defaults and paths holds for all of it.
std::string to_json(const WindowWorkspace& workspace);
Result<WindowWorkspace> window_workspace_from_json(const std::string& text);

Status save_workspace(const WindowWorkspace& workspace, const std::filesystem::path& path);
Result<WindowWorkspace> load_window_workspace(const std::filesystem::path& path);

}  // namespace aprscope::gui
