#include "core/operations/measure/measure_source.hpp"

#include <new>

#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/run_checks.hpp"

namespace aprscope {

bool measures_slices(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr && type->cpu.measure_slices != nullptr;
}

Result<Measurement> measure_source(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context) {
  const auto whole = complete(operation);
  if (!whole) return whole.error();
  const std::string& name = source.header().name;
  if (!measures_slices(*whole)) {
    return Error{whole->id + " needs the whole image in memory", name, "leave --stream out"};
  }
  try {
    auto found =
        operations().find(whole->id)->cpu.measure_slices(*whole, source, voxel, memory, context);
    if (!found) return found;
    found->name = name;
    found->history = {made_by_cpu(*whole)};
    return found;
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for a few slices and the curves", name,
                 "close other programs"};
  }
}

}  // namespace aprscope
