#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/maps/detector_mtf.hpp"
#include "core/maps/fsc_measurement.hpp"
#include "core/operations/schema/operation.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope {

/// Side and voxel size of data used as a map, in Å for any unit of length; "px" if it has none.
/// Errors: image or voxels are no cubes, values that cannot be computed with.
Result<MapScale> map_scale(const Dataset& input);

/// map_scale() where lengths must be known. Errors: also px.
Result<MapScale> map_scale_in_angstrom(const Dataset& input);

/// A map that is beside the data.
struct MapFile {
  std::vector<float> values;
  /// Voxel size in Å; 0: the file does not say.
  double voxel = 0.0;
};

/// A map, or mask, of `side`³ values from a file. Errors: of reading, particles, another size,
/// values that cannot be computed with; they call the file `what` ("other map").
Result<MapFile> read_map(const std::string& file, const std::string& what, std::int64_t side,
                         const JobContext& context);

/// A sentence for users who compare maps whose files have different voxel sizes; empty: they have
/// the same.
std::string voxel_note(const MapScale& own, const MapFile& other, const std::string& what);

/// The MTF that the step's mtf_parameters() name for a map of `voxel` Å; none: they name no file.
/// Errors: those of read_mtf().
Result<std::optional<DetectorMtf>> named_mtf(const Operation& operation, double voxel,
                                             const JobContext& context);

/// The reconstruction of a map made by this program, with its half maps; null: unknown.
const Reconstruction* own_halves(const Dataset& input);

/// Memory of a map and its spectrum.
std::uint64_t map_bytes(const Dataset& input);

}  // namespace aprscope
