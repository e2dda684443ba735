#pragma once

#include <nlohmann/json.hpp>

#include "core/operations/schema/json_reader.hpp"
#include "core/pipeline/workspace.hpp"

// The parts of a workspace as JSON.
namespace aprscope {

nlohmann::ordered_json workspace_json(const WorkspaceItem& item);
nlohmann::ordered_json workspace_json(const WorkspaceViews& views);
nlohmann::ordered_json workspace_json(const WorkspaceComparison& comparison);

/// What is not there keeps its value; what is wrong fails the reader.
void read(JsonReader& in, WorkspaceItem& item);
void read(JsonReader& in, WorkspaceViews& views);
void read(JsonReader& in, WorkspaceComparison& comparison);

}  // namespace aprscope
