#include "core/operations/maps/map_input.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/deconvolution/psf/psf.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/image_source.hpp"
#include "core/io/projections/mtf_file.hpp"
#include "core/operations/engine/run_checks.hpp"

namespace aprscope {
namespace {

constexpr double kAngstrom = 1e4;  // a µm
// Cells in headers of maps are f32, and resolutions of TIFF files rounded.
constexpr double kSameSide = 1e-3;

// The voxel size in Å; 0 where the unit is no length.
double in_angstrom(const VoxelSize& voxel) {
  return voxel.y * psf_micrometres(voxel.unit).value_or(0.0) * kAngstrom;
}

}  // namespace

Result<MapScale> map_scale(const Dataset& input) {
  const Size3 n = input.size();
  if (n.z != n.x || n.z != n.y || n.z < 4) {
    return Error{"is no cubic map: it has " + size_text(n) + " voxels (z, x, y)", input.name(),
                 "crop or pad it to a cube of 4 voxels a side or more"};
  }
  const VoxelSize& voxel = input.voxel();
  if (std::max({voxel.z, voxel.x, voxel.y}) >
      (1.0 + kSameSide) * std::min({voxel.z, voxel.x, voxel.y})) {
    return Error{"has voxels that are no cubes", input.name(),
                 "resample it, or say the right voxel size"};
  }
  if (Status ok = check_finite(input); !ok) return ok.error();
  const double side = in_angstrom(voxel);
  return side > 0.0 ? MapScale{n.z, side, "Å"} : MapScale{n.z, 1.0, "px"};
}

Result<MapScale> map_scale_in_angstrom(const Dataset& input) {
  auto scale = map_scale(input);
  if (scale && scale->unit != "Å") {
    return Error{"has no voxel size, and lengths in Å mean nothing without", input.name(),
                 "set the voxel size in Å or nm"};
  }
  return scale;
}

Result<MapFile> read_map(const std::string& file, const std::string& what, std::int64_t side,
                         const JobContext& context) {
  auto data = load_file(file, context);
  if (!data) return data.error();
  const auto* volume = std::get_if<Volume>(&*data);
  if (volume == nullptr) {
    return Error{"holds particles, and the " + what + " has to be pixels", file,
                 "reconstruct the pixels first, or choose another file"};
  }
  if (volume->size() != Size3{side, side, side}) {
    return Error{"has " + size_text(volume->size()) + " voxels (z, x, y), and the map has " +
                     std::to_string(side) + "³",
                 file, "choose a " + what + " of the map's size"};
  }
  const NonFinite bad = count_non_finite(*volume);
  if (bad.count > 0) return Error{non_finite_text(bad), file, "replace them first"};
  return MapFile{volume->to_float().values, in_angstrom(volume->voxel)};
}

std::string voxel_note(const MapScale& own, const MapFile& other, const std::string& what) {
  if (own.unit != "Å" || other.voxel <= 0.0) return {};
  if (std::abs(other.voxel - own.voxel) <= kSameSide * own.voxel) return {};
  return "the file of the " + what + " says voxels of " + std::to_string(other.voxel) +
         " Å, the map " + std::to_string(own.voxel) +
         " Å: what stands here is by the map's, and the two agree only "
         "where that is true of both";
}

Result<std::optional<DetectorMtf>> named_mtf(const Operation& operation, double voxel,
                                             const JobContext& context) {
  const auto& file = parameter<std::string>(operation, "mtf");
  if (file.empty()) return std::optional<DetectorMtf>();
  auto points = read_mtf(file, context);
  if (!points) return points.error();
  const double typed = parameter<double>(operation, "mtf_pixel_size");
  return std::optional(DetectorMtf(std::move(points->frequency), std::move(points->value),
                                   typed > 0.0 ? typed : voxel));
}

const Reconstruction* own_halves(const Dataset& input) {
  const Reconstruction* made = input.is_apr() ? nullptr : input.volume().reconstruction.get();
  return made != nullptr && !made->half1.empty() ? made : nullptr;
}

std::uint64_t map_bytes(const Dataset& input) {
  const Size3 n = input.size();
  const auto rows = static_cast<std::uint64_t>(n.z * n.x);
  return rows * static_cast<std::uint64_t>(2 * n.y + 32) * sizeof(float);
}

}  // namespace aprscope
