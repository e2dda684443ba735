#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/pipeline/workspace_item.hpp"

namespace aprscope {

class WorkspaceExtras;

/// Data as paths and steps.
struct Workspace {
  std::vector<WorkspaceItem> items;
  std::uint64_t current = 0;
};

/// JSON with a version: {"aprscope_workspace": 1, "items": […], …}. Reading checks everything;
/// errors name the item and the key. What is missing has its default. `extras`: what else is in the
/// file, null: nothing; when it is read, that is left alone.
std::string to_json(const Workspace& workspace, const WorkspaceExtras* extras = nullptr);
Result<Workspace> workspace_from_json(const std::string& text, WorkspaceExtras* extras = nullptr);

/// Paths are written as they are and as seen from the file's folder; reading takes the first that
/// exists, so that a folder can move with its data. Errors: those of the file system and above.
Status save_workspace(const Workspace& workspace, const std::filesystem::path& path,
                      const WorkspaceExtras* extras = nullptr);
Result<Workspace> load_workspace(const std::filesystem::path& path,
                                 WorkspaceExtras* extras = nullptr);

}  // namespace aprscope
