#include "core/operations/measure/measure_source.hpp"

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/run_checks.hpp"

namespace aprscope {

bool measures_slices(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr && type->cpu.measure_slices != nullptr;
}

bool measures_files(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr && type->cpu.measure_file != nullptr;
}

bool measures_parts(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  const auto whole = complete(operation);
  return type != nullptr && whole && (!type->measures_parts || type->measures_parts(*whole));
}

namespace {

// What a complete operation finds, with its name and history, which begins with that of the data.
template <class Measure>
Result<Measurement> found_by(const Operation& whole, const std::string& name,
                             std::vector<std::string> history, const Measure& measure) {
  try {
    Result<Measurement> found = measure();
    if (!found) return found;
    found->name = name;
    history.push_back(made_by_cpu(whole));
    found->history = std::move(history);
    return found;
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for a few slices and the curves", name,
                 "close other programs"};
  }
}

}  // namespace

Result<Measurement> measure_file(const Operation& operation, AprFileSlabs& file,
                                 const PartMemory& memory, const JobContext& context) {
  const auto whole = complete(operation);
  if (!whole) return whole.error();
  const std::string& name = file.facts().name;
  if (!measures_files(*whole)) {
    return Error{whole->id + " needs all particles in memory", name, "leave --stream out"};
  }
  return found_by(*whole, name, file.facts().history, [&] {
    return operations().find(whole->id)->cpu.measure_file(*whole, file, memory, context);
  });
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
  return found_by(*whole, name, {}, [&] {
    return operations().find(whole->id)->cpu.measure_slices(*whole, source, voxel, memory, context);
  });
}

}  // namespace aprscope
