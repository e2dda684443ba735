#pragma once

#include <array>

#include "app/gui/document/workspace/workspace_views.hpp"
#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {

/// Where the slice views look, in the order of Axis; and back.
std::array<WorkspaceCamera, 3> slice_cameras(ViewsArea& views);
void set_slice_cameras(ViewsArea& views, const std::array<WorkspaceCamera, 3>& cameras);

}  // namespace aprscope::gui
