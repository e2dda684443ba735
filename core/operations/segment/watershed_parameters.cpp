#include "core/operations/segment/watershed_parameters.hpp"

#include <algorithm>
#include <string>

#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<Connectivity> kNeighbours[] = {
    {"6", Connectivity::faces}, {"18", Connectivity::edges}, {"26", Connectivity::corners}};
constexpr Word<FloodSignal> kSignals[] = {{"membrane", FloodSignal::membrane},
                                          {"distance", FloodSignal::distance}};
// Largest grey values, and largest lengths and volumes of images.
constexpr double kMostGrey = 3.4e38;
constexpr double kLengthLimit = 1e9;
constexpr double kAutomatic = -1.0;

}  // namespace

FloodSignal signal_of(const Operation& operation) {
  return value_of(kSignals, parameter<std::string>(operation, "signal"));
}
bool is_seeded(const Operation& operation) {
  return !parameter<std::string>(operation, "seeds").empty() ||
         !parameter<std::string>(operation, "seed_file").empty();
}
LevelSets objects_of(const Operation& operation) {
  return parameter<bool>(operation, "dark") ? LevelSets::sublevel : LevelSets::superlevel;
}

Connectivity flood_connectivity(const Operation& operation) {
  return value_of(kNeighbours, parameter<std::string>(operation, "connectivity"));
}

OperationSchema watershed_schema() {
  OperationSchema schema =
      operation_schema("watershed", "Watershed", "Segment", {DataKind::pixels, DataKind::apr},
                       "Separates cells between bright walls (or dark ones), or bright blobs that "
                       "touch: water rises in all of them at once and stops where it meets.")
          .with(
              choice("signal", "Water rises in", words_of(kSignals))
                  .main()
                  .help("membrane: water rises in the image, so that every pixel belongs to a cell "
                        "between walls; distance: in objects brighter than a threshold, from where "
                        "they are thickest, so that they part at their necks (pixel images only)."))
          .with(boolean("dark", "Dark")
                    .help("Walls are darker than cells; with signal distance: objects are darker "
                          "than their surroundings."))
          .with(threshold_parameters())
          .with(choice("connectivity", "Neighbours", words_of(kNeighbours))
                    .described(Described::changed)
                    .help("Through which neighbours water flows. 6: those that share a face; 18: "
                          "also an edge; 26: also a corner (in one slice 4, 8 and 8)."))
          .with(real("smooth", "Smooth", kAutomatic)
                    .range(kAutomatic, kLengthLimit)
                    .lowest("automatic")
                    .unit(kLengthUnit)
                    .help("Standard deviation of the Gaussian that smooths the image first, in the "
                          "unit of the voxel size (µm; px where the file has none). 0: none; below "
                          "0: as little as brings noise down to a thirtieth of the contrast. "
                          "Particles are not smoothed."))
          .with(real("depth", "Depth")
                    .range(0.0, kMostGrey)
                    .lowest("automatic")
                    .unit("grey values")
                    .main()
                    .help("How far a cell must lie below the lowest gap in its walls (h-minima). "
                          "Larger values give fewer cells; 0: the noise of the image. With signal "
                          "distance: by how much the radius of an object must exceed that of its "
                          "neck, in the unit of the voxel size (µm; px where the file has none); "
                          "0: a voxel of the coarsest axis."))
          .with(real("merge", "Merge walls up to", kAutomatic)
                    .range(kAutomatic, kMostGrey)
                    .lowest("automatic")
                    .unit("grey values")
                    .main()
                    .help("Walls weaker than this are removed, the weakest first. Strength is the "
                          "geometric mean of the wall's lowest height above the shallower cell and "
                          "its median height above the deeper one. 0: none; below 0: a fifth of "
                          "the contrast or four times the noise, whichever is larger (none with "
                          "signal distance)."))
          .with(text("seeds", "Seeds")
                    .help("Points from which one cell each grows, whatever the depth and the "
                          "walls: z,x,y; z,x,y; and so on, in whole pixels from 0."))
          .with(text("seed_file", "Seeds from a file")
                    .names_file()
                    .help("File of seeds from which one cell each grows: a label image of the same "
                          "size (TIFF or HDF5; cells keep its numbers), or a table of points "
                          "(.csv, .tsv, .txt), a point per line: z,x,y in pixels from 0, or with a "
                          "header of names and units, as z (µm)."))
          .with(min_volume_parameter("A cell smaller than this volume becomes part of the one "
                                     "behind the lowest gap in its walls"))
          .with(boolean("drop_border", "Drop cells at the border")
                    .help("Cells that touch the border of the image get no label."));
  schema.counts = [](const Operation& operation, const std::string& id) {
    const bool distance = signal_of(operation) == FloodSignal::distance;
    const auto thresholds = threshold_parameters();
    const bool of_threshold = std::any_of(thresholds.begin(), thresholds.end(),
                                          [&](const ParameterSpec& spec) { return spec.id == id; });
    if (of_threshold) return distance && threshold_counts(operation, id);
    if (distance && id == "smooth") return false;
    return !is_seeded(operation) || (id != "depth" && id != "merge" && id != "min_volume");
  };
  return schema;
}

}  // namespace aprscope
