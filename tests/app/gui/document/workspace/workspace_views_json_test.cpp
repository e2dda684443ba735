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

TEST(WorkspaceViewsJson, ColoursOfAFileGoAlong) {
  WorkspaceDisplay display;
  display.colormap = "fire";
  display.colours = colormap("inferno");
  nlohmann::ordered_json json = workspace_json(display);
  const auto read_again = [](const nlohmann::ordered_json& from, WorkspaceDisplay& out) {
    std::optional<Error> error;
    JsonReader reader(from, "a.aprscope", error);
    read(reader, out);
    return error ? error->message() : "";
  };
  WorkspaceDisplay again;
  EXPECT_EQ(read_again(json, again), "");
  EXPECT_EQ(again, display);
  for (const char* wrong : {"00", "xyz", "0"}) {
    json["colours"] = wrong;
    EXPECT_NE(read_again(json, again).find("hexadecimal"), std::string::npos) << wrong;
  }
}

}  // namespace
}  // namespace aprscope::gui
