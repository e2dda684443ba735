#include "app/cli/commands/cell_steps.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/points_text.hpp"

namespace aprscope::cli {
namespace {

constexpr const char* kClean = "clean_labels";
constexpr const char* kOpen = "open_labels";
constexpr const char* kThreshold = "threshold";
// Parameters that --threshold, --method and --seeds set; they have no options of their own.
const std::vector<std::string> kSaidOtherwise{"method", "value",  "crossing",
                                              "window", "signal", "seed_file"};
constexpr const char* kPixels = "px";

struct CellMethod {
  std::string word;
  /// The operation; empty: none is run.
  std::string operation;
  std::string help;
  /// Parameter values that the word stands for.
  std::map<std::string, ParameterValue> fixed{};
  /// A parameter that the user must give for this method.
  std::string needs{};
  /// The method needs a mask: if there is a threshold, a mask is made first.
  bool of_mask = false;
};

const std::vector<CellMethod>& methods() {
  static const std::vector<CellMethod> all = [] {
    std::vector<CellMethod> list{
        {"watershed", "watershed", "cells between bright walls"},
        {"distance",
         "watershed",
         "objects that touch, parted at their necks",
         {{"signal", std::string("distance")}}},
        {"seeds", "watershed", "one cell for each of --seeds", {}, "seeds"},
        {"fill", "fill_exterior", "everything that cannot be reached from outside the membranes"},
        {"label",
         "label",
         "connected objects of a mask (with --threshold the mask is made first)",
         {},
         "",
         true},
        {"kept", "", "the labels that the .apr file has"}};
    // Keep only methods whose fixed parameters exist in the operation's schema.
    list.erase(std::remove_if(list.begin(), list.end(),
                              [](const CellMethod& one) {
                                const OperationSchema* const schema = find_schema(one.operation);
                                return std::any_of(
                                    one.fixed.begin(), one.fixed.end(), [&](const auto& value) {
                                      return schema->parameter(value.first) == nullptr;
                                    });
                              }),
               list.end());
    return list;
  }();
  return all;
}

const CellMethod& method_of(const std::string& word) {
  return *std::find_if(methods().begin(), methods().end(),
                       [&](const CellMethod& one) { return one.word == word; });
}

std::vector<std::string> words() {
  std::vector<std::string> out;
  for (const CellMethod& one : methods()) out.push_back(one.word);
  return out;
}

std::string method_help() {
  std::string text = "How cells are found:";
  for (const CellMethod& one : methods()) {
    text += (&one == &methods().front() ? " " : "; ") + one.word + ": " + one.help;
  }
  return text + " (default " + methods().front().word + ")";
}

}  // namespace

void CellSteps::add_to(CLI::App& command) {
  command.add_option("--method", method_, method_help())
      ->type_name("WORD")
      ->check(CLI::IsMember(words()));
  command
      .add_option("--threshold", threshold_,
                  "Threshold of membranes or objects: a value, otsu, crossing[:N] (the N-th change "
                  "of sign of the Euler characteristic) or local[:SIDE] (the mean of a box round "
                  "each pixel, SIDE in the unit of the voxel size)")
      ->type_name("T");
  command
      .add_option("--labels", labels_,
                  "File of labels to use instead of finding cells: TIFF or HDF5 of the size of IN "
                  "(without IN: measured by themselves)")
      ->type_name("FILE");
  std::set<std::string> added;
  for (const CellMethod& one : methods()) {
    if (one.operation.empty() || !added.insert(one.operation).second) continue;
    parameters_.add_to(command, one.operation, kSaidOtherwise);
  }
  parameters_.add_to(command, kClean, {"smooth", "relabel"});
  command.get_option("--seeds")
      ->description(
          "Seeds from which one cell each grows: points z,x,y; z,x,y … in whole pixels from 0; or "
          "a file: a label image of the size of IN (.tif, .h5), or a table of points (.csv, .tsv, "
          ".txt), one per line, in pixels, or with a header that gives units, as z (µm)")
      ->type_name("FILE|POINTS");
  command
      .add_option("--unit", unit_,
                  "Unit of lengths and volumes: voxel, the unit of the voxel size (default), or "
                  "px: a length in sides of the finest pixel (the shortest side of a voxel), the "
                  "same in all directions, and a volume in voxels")
      ->type_name("WORD")
      ->check(CLI::IsMember({"voxel", kPixels}));
}

bool CellSteps::per_slice() const {
  if (!parameters_.given("per_slice")) return false;
  return std::get<bool>(parameters_.given_of("fill_exterior").parameters.at("per_slice"));
}

bool CellSteps::asked() const { return !method_.empty() || !labels_.empty(); }

std::string CellSteps::method() const {
  if (!labels_.empty()) return "labels";
  return method_.empty() ? methods().front().word : method_;
}

// The operation with the threshold that --threshold describes.
Operation CellSteps::threshold_in(Operation operation) const {
  const OperationSchema& schema = *find_schema(operation.id);
  const auto colon = threshold_.find(':');
  const std::string word = threshold_.substr(0, colon);
  const auto set = [&](const std::string& id, const std::string& text) {
    operation.parameters[id] =
        or_wrong_usage("--threshold", value_from_text(*schema.parameter(id), text));
  };
  if (value_from_text(schema::real("", ""), threshold_)) {
    set("method", "value");
    set("value", threshold_);
    return operation;
  }
  set("method", word);
  if (word == "value") wrong_usage("--threshold", "name the value itself");
  if (colon == std::string::npos) return operation;
  // A value after the colon belongs to the parameter that matters for this word only.
  const Operation whole = or_wrong_usage("--threshold", complete(operation));
  for (const char* id : {"crossing", "window"}) {
    if (!counts(whole, id)) continue;
    set(id, threshold_.substr(colon + 1));
    return operation;
  }
  wrong_usage("--threshold", "nothing stands behind " + word);
}

// Text in --seeds that is not a list of points is the name of a file.
Operation CellSteps::seeds_in(Operation operation) const {
  const auto given = operation.parameters.find("seeds");
  if (given == operation.parameters.end()) return operation;
  auto& text = std::get<std::string>(given->second);
  const auto points = points_from_text(text, "");
  if (points) return operation;
  // Only digits and separators: a list of points with a mistake, not a name.
  if (text.find_first_not_of("0123456789+-., ;\t\r\n") == std::string::npos &&
      !std::filesystem::exists(text)) {
    or_wrong_usage("--seeds", points);
  }
  operation.parameters["seed_file"] = std::move(text);
  operation.parameters.erase("seeds");
  return operation;
}

// Converts parameters given in pixels to the operation's units; 0 and automatic ones stay.
void CellSteps::scale(Operation& operation, const VoxelSize& voxel, bool flat) const {
  if (unit_ != kPixels) return;
  const double side = flat ? std::min(voxel.x, voxel.y) : std::min({voxel.z, voxel.x, voxel.y});
  // Slightly less, or rounding might require a voxel more. For a single slice volumes are areas.
  const double volume = (flat ? 1.0 : voxel.z) * voxel.x * voxel.y * (1.0 - 1e-12);
  const auto signal = operation.parameters.find("signal");
  const bool distance = signal != operation.parameters.end() &&
                        signal->second == ParameterValue(std::string("distance"));
  for (auto& [id, value] : operation.parameters) {
    const ParameterSpec* const spec = find_schema(operation.id)->parameter(id);
    auto* const number = std::get_if<double>(&value);
    if (spec == nullptr || number == nullptr || !(*number > 0.0)) continue;
    // In a watershed of distances, heights (depth, merge) are lengths too.
    const bool height = distance && (id == "depth" || id == "merge");
    if (spec->unit == kLengthUnit || height) *number *= side;
    if (spec->unit == kVolumeUnit) *number *= volume;
  }
}

std::vector<Operation> CellSteps::steps(const VoxelSize& voxel, bool flat) const {
  if (!labels_.empty() && !method_.empty()) {
    wrong_usage("--labels", "takes the place of --method");
  }
  std::vector<std::string> given = parameters_.all_given();
  std::vector<Operation> steps;
  // Adds a step, and strikes the options that have an effect in it from `given`.
  const auto take = [&](Operation asked) {
    scale(asked, voxel, flat);
    const Operation whole = or_wrong_usage("option", complete(asked));
    given.erase(std::remove_if(given.begin(), given.end(),
                               [&](const std::string& id) {
                                 return asked.parameters.count(id) > 0 && counts(whole, id);
                               }),
                given.end());
    steps.push_back(whole);
  };
  const CellMethod& method = method_of(labels_.empty() ? this->method() : "kept");
  bool thresholded = threshold_.empty();
  if (!labels_.empty()) {
    steps.push_back(or_wrong_usage("--labels", complete({kOpen, {{"file", labels_}}})));
  } else if (!method.operation.empty()) {
    if (!method.needs.empty() && !parameters_.given(method.needs)) {
      wrong_usage("--method", method.word + " needs " + option_name(method.needs));
    }
    if (method.of_mask && !threshold_.empty()) {
      Operation mask = threshold_in(parameters_.given_of(kThreshold));
      if (std::find(given.begin(), given.end(), "dark") != given.end()) {
        mask.parameters["sets"] = std::string(
            std::get<bool>(parameters_.given_of("watershed").parameters.at("dark")) ? "sublevel"
                                                                                    : "superlevel");
        given.erase(std::find(given.begin(), given.end(), "dark"));
      }
      take(std::move(mask));
      thresholded = true;
    }
    Operation find = parameters_.given_of(method.operation);
    for (const auto& [id, value] : method.fixed) find.parameters[id] = value;
    if (!thresholded && find_schema(find.id)->parameter("method") != nullptr &&
        counts(or_wrong_usage("option", complete(find)), "method")) {
      find = threshold_in(std::move(find));
      thresholded = true;
    }
    find = seeds_in(std::move(find));
    if (find.parameters.count("seed_file") > 0) {
      std::replace(given.begin(), given.end(), std::string("seeds"), std::string("seed_file"));
    }
    take(std::move(find));
  }
  if (!thresholded) wrong_usage("--threshold", "has no say beside --method " + method.word);
  const OperationSchema& clean_schema = *find_schema(kClean);
  const bool clean = std::any_of(given.begin(), given.end(), [&](const std::string& id) {
    return clean_schema.parameter(id) != nullptr && id != "smooth";
  });
  if (clean) {
    Operation cleaning{kClean, {}};
    for (const auto& [id, value] : parameters_.given_of(kClean).parameters) {
      const bool left = std::find(given.begin(), given.end(), id) != given.end();
      if (left && id != "smooth") cleaning.parameters[id] = value;
    }
    // Labels from a file keep their numbers, as the user may refer to them.
    if (!labels_.empty()) cleaning.parameters["relabel"] = false;
    take(std::move(cleaning));
  }
  for (const std::string& id : given) {
    // per_slice is an option of the table, for every method.
    if (id == "per_slice") continue;
    wrong_usage(option_name(id),
                "has no say beside " + (labels_.empty() ? "--method " + method.word : "--labels"));
  }
  return steps;
}

}  // namespace aprscope::cli
