#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/pipeline/backend.hpp"

namespace aprscope {

/// Steps that lead from one input to one result; immutable lists make undo a swap of pointers.
struct Recipe {
  /// Path of the input, empty when it is to be given on replay.
  std::string input;
  int channel = 0;
  int time = 0;
  std::vector<Operation> steps;
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// The steps with `input` in the place of kInputFile, in parameters that list files; paths stay as
/// they are.
std::vector<Operation> steps_for(std::vector<Operation> steps, const std::string& input);

/// The files that an operation reads besides its input.
std::vector<std::string> files_of(const Operation& operation);

/// JSON with a version: {"aprscope": 2, "input": …, "steps": [{"operation": "gaussian",
/// "parameters": {…}}]}. Reading checks everything; errors name the step and the parameter.
std::string to_json(const Recipe& recipe);
Result<Recipe> recipe_from_json(const std::string& text);
Status save_recipe(const Recipe& recipe, const std::filesystem::path& path);
Result<Recipe> load_recipe(const std::filesystem::path& path);

}  // namespace aprscope
