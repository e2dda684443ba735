#include "app/gui/document/workspace/workspace_views_json.hpp"

#include <gtest/gtest.h>

namespace aprscope::gui {
namespace {

// The words and their order are those of files that are there.
TEST(WorkspaceViewsJson, KeysAreThoseOfOldFiles) {
  WorkspaceDisplay display;
  EXPECT_EQ(workspace_json(display).dump(),
            R"({"mode":"constant","contrast":{"low":0.0,"high":1.0,"gamma":1.0},)"
            R"("colormap":"grey","scale_bar":true,"crosshair":true})");
  display.composite = true;
  display.channels = {{false, {1, 2, 3}, Contrast{0.5, 2.0, 1.0}}};
  EXPECT_EQ(workspace_json(display).dump(),
            R"({"mode":"constant","contrast":{"low":0.0,"high":1.0,"gamma":1.0},)"
            R"("colormap":"grey","scale_bar":true,"crosshair":true,"composite":true,)"
            R"("channels":[{"visible":false,"colour":[1,2,3],)"
            R"("contrast":{"low":0.5,"high":2.0,"gamma":1.0}}]})");
  const WorkspaceComparison comparison;
  EXPECT_EQ(workspace_json(comparison).dump(),
            R"({"active":false,"a":0,"b":0,"mode":"side","place":"xy","same_contrast":true,)"
            R"("reveal":0.5,"difference_range":0.0,"line_tool":false,"line_width":1})");
}

}  // namespace
}  // namespace aprscope::gui
