#include "core/pipeline/file_measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "core/apr/structure/linear_access.hpp"
#include "core/base/system.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/part_memory.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/operations/schema/region_text.hpp"

namespace aprscope {
namespace {

// Bytes for a part, if there are twice as many.
constexpr std::uint64_t kParts = std::uint64_t{1} << 30U;

PartMemory part_memory(std::uint64_t memory) {
  if (memory > 0) return {memory};
  const std::uint64_t available = available_bytes();
  if (available == 0) return {kParts};
  return {std::min(kParts, available / 2), available / 2};
}

}  // namespace

bool can_be_in_parts(const Operation& operation) {
  return measures_files(operation) && measures_parts(operation);
}

Operation in_pixels_of_file(Operation operation, int level, const Size3& size) {
  const auto found = operation.parameters.find("region");
  if (found == operation.parameters.end()) return operation;
  const auto* const text = std::get_if<std::string>(&found->second);
  if (text == nullptr || text->empty()) return operation;
  // What is no box is said when it is measured.
  auto box = region_from_text(*text);
  if (!box) return operation;
  const int shift = finest_level(size) - level;
  const auto scaled = [shift](std::int64_t at, std::int64_t n) { return std::min(at << shift, n); };
  const auto whole = [&](const Index3& at) {
    return Index3{scaled(at.z, size.z), scaled(at.x, size.x), scaled(at.y, size.y)};
  };
  box->begin = whole(box->begin);
  box->end = whole(box->end);
  found->second = region_text(*box);
  return operation;
}

Result<std::optional<Measurement>> measure_in_parts(
    const Operation& operation, const SourceInfo& info, const SourceSelection& selection,
    std::uint64_t memory, const std::optional<VoxelSize>& voxel, const JobContext& context) {
  auto file = AprFileSlabs::open(info, selection, JobContext(context.stop_token()));
  if (!file) return file.error();
  if (!*file) return std::optional<Measurement>();
  if (voxel) (*file)->set_voxel(*voxel);
  auto found = measure_file(operation, **file, part_memory(memory), context);
  if (!found) return found.error();
  return std::optional<Measurement>(*std::move(found));
}

Result<MeasuredWhole> measure_all_of_file(const WholeMeasurement& wanted,
                                          const JobContext& context) {
  const auto start = std::chrono::steady_clock::now();
  const auto info = inspect(wanted.input, JobContext(context.stop_token()));
  if (!info) return info.error();
  MeasuredWhole out;
  out.operation = wanted.in_level_pixels
                      ? in_pixels_of_file(wanted.operation, wanted.level, info->size)
                      : wanted.operation;
  std::optional<VoxelSize> voxel = wanted.level_voxel;
  if (voxel) {
    // Voxels of a level are larger, as its cells are.
    const double side = std::exp2(finest_level(info->size) - wanted.level);
    *voxel = {voxel->z / side, voxel->x / side, voxel->y / side, voxel->unit};
  }
  auto found = measure_in_parts(out.operation, *info, wanted.part, wanted.memory, voxel, context);
  if (!found) return found.error();
  if (!*found) {
    return Error{"has a layout that cannot be read in parts", wanted.input,
                 "write it anew with aprscope-cli"};
  }
  out.cost.operation = out.operation.id;
  out.cost.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.cost.bytes = (*found)->bytes();
  out.cost.backend = cpu_backend()->name();
  out.found = std::make_shared<const Measurement>(**std::move(found));
  return out;
}

}  // namespace aprscope
