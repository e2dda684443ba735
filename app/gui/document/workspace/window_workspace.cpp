#include "app/gui/document/workspace/window_workspace.hpp"

#include <cstddef>
#include <utility>

#include "app/gui/document/workspace/workspace_views_json.hpp"
#include "core/base/memory_error.hpp"
#include "core/pipeline/workspace.hpp"
#include "core/pipeline/workspace_extras.hpp"

namespace aprscope::gui {
namespace {

using Json = nlohmann::ordered_json;

// The window's part of the file.
struct WindowPart final : WorkspaceExtras {
  std::vector<WorkspaceDisplay> displays;  // one an item
  Index3 crosshair{0, 0, 0};
  WorkspaceViews views;
  WorkspaceComparison comparison;

  void write_item(std::size_t item, Json& to) const override {
    to["display"] = workspace_json(displays[item]);
  }
  void write(Json& to) const override {
    to["crosshair"] = {{"z", crosshair.z}, {"x", crosshair.x}, {"y", crosshair.y}};
    to["views"] = workspace_json(views);
    to["comparison"] = workspace_json(comparison);
  }
  void read_item(std::size_t item, JsonReader& in) override {
    displays.resize(item + 1);
    in.object("display", [&](JsonReader& display) { gui::read(display, displays[item]); });
  }
  void read(JsonReader& in) override {
    in.object("crosshair", [&](JsonReader& at) {
      at.read("z", crosshair.z);
      at.read("x", crosshair.x);
      at.read("y", crosshair.y);
    });
    in.object("views", [&](JsonReader& each) { gui::read(each, views); });
    in.object("comparison", [&](JsonReader& both) { gui::read(both, comparison); });
  }
};

Workspace data_of(const WindowWorkspace& w) {
  Workspace data;
  for (const WorkspaceItem& item : w.items) data.items.push_back(item);
  data.current = w.current;
  return data;
}

WindowPart part_of(const WindowWorkspace& w) {
  WindowPart part;
  for (const ShownItem& item : w.items) part.displays.push_back(item.display);
  part.crosshair = w.crosshair;
  part.views = w.views;
  part.comparison = w.comparison;
  return part;
}

Result<WindowWorkspace> joined(Result<Workspace> data, WindowPart part) {
  if (!data) return data.error();
  WindowWorkspace w;
  for (std::size_t i = 0; i < data->items.size(); ++i) {
    w.items.push_back({std::move(data->items[i]), std::move(part.displays[i])});
  }
  w.current = data->current;
  w.crosshair = part.crosshair;
  w.views = std::move(part.views);
  w.comparison = std::move(part.comparison);
  return w;
}

}  // namespace

std::string to_json(const WindowWorkspace& workspace) {
  const WindowPart part = part_of(workspace);
  return to_json(data_of(workspace), &part);
}

Result<WindowWorkspace> window_workspace_from_json(const std::string& text) {
  return with_memory_errors("workspace", [&] {
    WindowPart part;
    auto data = workspace_from_json(text, &part);
    return joined(std::move(data), std::move(part));
  });
}

Status save_workspace(const WindowWorkspace& workspace, const std::filesystem::path& path) {
  return with_memory_errors(path.string(), [&] {
    const WindowPart part = part_of(workspace);
    return save_workspace(data_of(workspace), path, &part);
  });
}

Result<WindowWorkspace> load_window_workspace(const std::filesystem::path& path) {
  return with_memory_errors(path.string(), [&] {
    WindowPart part;
    auto data = load_workspace(path, &part);
    return joined(std::move(data), std::move(part));
  });
}

}  // namespace aprscope::gui
