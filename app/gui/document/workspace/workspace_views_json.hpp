#pragma once

#include <nlohmann/json.hpp>

#include "app/gui/document/workspace/workspace_views.hpp"
#include "core/operations/schema/json_reader.hpp"

namespace aprscope::gui {

/// How the window shows data, as JSON.
nlohmann::ordered_json workspace_json(const WorkspaceDisplay& display);
nlohmann::ordered_json workspace_json(const WorkspaceViews& views);
nlohmann::ordered_json workspace_json(const WorkspaceComparison& comparison);

/// What is not there keeps its value; what is wrong fails the reader.
void read(JsonReader& in, WorkspaceDisplay& display);
void read(JsonReader& in, WorkspaceViews& views);
void read(JsonReader& in, WorkspaceComparison& comparison);

}  // namespace aprscope::gui
