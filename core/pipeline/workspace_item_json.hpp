#pragma once

#include <nlohmann/json.hpp>

#include "core/operations/schema/json_reader.hpp"
#include "core/pipeline/workspace_item.hpp"

namespace aprscope {

/// An item of a workspace as JSON.
nlohmann::ordered_json workspace_json(const WorkspaceItem& item);

/// What is not there keeps its value; what is wrong fails the reader.
void read(JsonReader& in, WorkspaceItem& item);

}  // namespace aprscope
