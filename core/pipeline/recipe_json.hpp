#pragma once

#include <nlohmann/json.hpp>

#include "core/pipeline/recipe.hpp"

// A recipe inside other JSON, as in a workspace.
namespace aprscope {

nlohmann::ordered_json recipe_json(const Recipe& recipe);

/// Checks everything as recipe_from_json() does; errors are located "recipe" or a step of it.
Result<Recipe> recipe_from(const nlohmann::ordered_json& json);

}  // namespace aprscope
