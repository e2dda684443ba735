#include "core/pipeline/file_execution.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/memory_limit.hpp"
#include "core/base/system.hpp"
#include "core/io/common/part_error.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/particles/overview.hpp"

namespace aprscope {
namespace {

// Reading against computing, where anything is computed.
constexpr double kReadingShare = 0.4;

using Part = Result<std::optional<Data>>;

// Runs a step on a part of a file and measures its cost; none if the step needs the whole file. The
// CPU reads, whatever device was asked for.
Result<std::optional<Execution>> part_of_file(const Operation& step, const Backend& backend,
                                              const JobContext& context,
                                              const std::function<Part(const JobContext&)>& read) {
  const std::shared_ptr<const Backend> cpu = cpu_backend();
  const PeakMeter memory;
  const auto start = std::chrono::steady_clock::now();
  std::optional<DeviceMove> moved;
  auto made = read(context);
  if (!made) return made.error();
  if (!*made) return std::optional<Execution>();
  Data data = *std::move(*made);
  if (backend.id() != cpu->id()) {
    const JobContext heard = context.listening([&](const DeviceMove& move) { moved = move; });
    data = *compute_elsewhere(backend, *cpu, "a part of a file is read by the CPU", heard,
                              [&]() -> Result<Data> { return std::move(data); });
  }
  Execution out;
  StepCost cost;
  cost.operation = step.id;
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.bytes = own_bytes(data);
  cost.peak_bytes = memory.extra();
  cost.backend = cpu->name();
  cost.moved = std::move(moved);
  out.costs.push_back(std::move(cost));
  out.steps.push_back(step);
  out.data = Dataset::create(std::move(data));
  return std::optional<Execution>(std::move(out));
}

Result<std::optional<Execution>> first_step(const Operation& step, const SourceInfo& info,
                                            const SourceSelection& selection,
                                            const Backend& backend, const JobContext& context) {
  const OperationType* type = operations().find(step.id);
  const auto whole = complete(step);
  if (type == nullptr || !type->of_file || !whole) return std::optional<Execution>();
  return part_of_file(step, backend, context, [&](const JobContext& reading) {
    return type->of_file(*whole, info, selection, reading);
  });
}

// The result of a first step with the voxel size of the whole replaced: voxels of a level are
// larger, as its cells are.
std::shared_ptr<const Dataset> with_voxel(const std::shared_ptr<const Dataset>& made,
                                          const Operation& step, const SourceInfo& info,
                                          const VoxelSize& voxel) {
  const auto level = level_of(step);
  const double side = level ? std::exp2(finest_level(info.size) - *level) : 1.0;
  Data data = made->data();
  std::visit(
      [&](auto& one) {
        one.voxel = {voxel.z * side, voxel.x * side, voxel.y * side, voxel.unit};
      },
      data);
  return Dataset::create(std::move(data));
}

// Joins the executions of the first steps and of the rest, in order.
Execution joined(Execution first, Execution rest) {
  for (StepMeasurement& one : rest.measured) one.step += first.steps.size();
  rest.costs.insert(rest.costs.begin(), std::make_move_iterator(first.costs.begin()),
                    std::make_move_iterator(first.costs.end()));
  rest.steps.insert(rest.steps.begin(), std::make_move_iterator(first.steps.begin()),
                    std::make_move_iterator(first.steps.end()));
  return rest;
}

}  // namespace

Status check_load(const SourceInfo& info, const SourceSelection& selection, std::uint64_t memory) {
  if (memory == 0) return {};
  const Result<std::uint64_t> takes =
      info.is_apr ? particle_bytes_to_show(info, selection) : bytes_to_show(info.size, info.dtype);
  if (!takes) return takes.error();
  if (*takes <= most_within(memory)) return {};
  return Error{"takes about " + format_bytes(*takes) +
                   " of memory, and all of it is needed, but only " + format_bytes(memory) +
                   " are allowed",
               info.path.string(), "allow more memory, or work on a smaller part"};
}

bool may_take_part(const std::vector<Operation>& steps) {
  if (steps.empty()) return false;
  const OperationType* type = operations().find(steps.front().id);
  return type != nullptr && static_cast<bool>(type->of_file);
}

Result<Execution> execute_file(const std::vector<Operation>& steps, const SourceInfo& info,
                               const SourceSelection& selection, const Backend& backend,
                               const RunContext& run, const std::optional<VoxelSize>& voxel) {
  const bool computes = steps.size() > (info.is_apr && may_take_part(steps) ? 1U : 0U);
  const double share = computes ? kReadingShare : 1.0;
  const JobContext reading = run.job.part(0.0, share);
  RunContext computing = run;
  computing.job = run.job.part(share, 1.0);
  if (info.is_apr && may_take_part(steps)) {
    auto first = first_step(steps.front(), info, selection, backend, reading);
    if (!first) return error_of_step(first.error(), 0, steps.front().id, steps.size());
    if (*first) {
      const std::vector<Operation> rest(steps.begin() + 1, steps.end());
      computing.steps_before = 1;
      if (voxel) (*first)->data = with_voxel((*first)->data, steps.front(), info, *voxel);
      auto done = execute(rest, (*first)->data, backend, computing);
      if (!done) return done.error();
      return joined(std::move(**first), *std::move(done));
    }
  }
  if (Status fits = check_load(info, selection, run.memory); !fits) return fits.error();
  auto data = load(info, selection, reading);
  if (!data) return data.error();
  if (voxel) std::visit([&](auto& one) { one.voxel = *voxel; }, *data);
  return execute(steps, Dataset::create(*std::move(data)), backend, computing);
}

Result<Execution> open_file(const SourceInfo& info, const SourceSelection& selection,
                            std::uint64_t memory, const Backend& backend, const RunContext& run) {
  if (!info.is_apr) return execute_file({}, info, selection, backend, run);
  const auto bytes = particle_bytes_to_show(info, selection);
  if (!bytes) return bytes.error();
  if (*bytes <= memory) return execute_file({}, info, selection, backend, run);
  // The projection holds what it shows once more.
  const int level = overview_level(info.size, memory / 2);
  auto shown = part_of_file(level_step(level), backend, run.job, [&](const JobContext& reading) {
    return level_of_file(info, selection, level, reading);
  });
  if (!shown) return shown.error();
  if (*shown) return *std::move(*shown);
  // Without a tree in the file, all particles must be read, or none can be shown.
  auto all = execute_file({}, info, selection, backend, run);
  if (all || all.error().cancelled()) return all;
  Error error = all.error();
  error.advice = "write it anew with --tree for an overview, or crop it with aprscope-cli crop";
  return error;
}

Result<Data> load_level(const SourceInfo& info, const SourceSelection& selection, int level,
                        const JobContext& context) {
  auto image = level_of_file(info, selection, level, context);
  if (!image) return image.error();
  if (!*image) {
    return in_part(Error{"has no image of level " + std::to_string(level), info.path.string(),
                         "write it with its tree, which has the coarse levels"},
                   selection);
  }
  return std::move(**image);
}

bool image_fits(const SourceInfo& info, std::uint64_t memory) {
  return bytes_to_show(info.size, info.dtype) <= memory;
}

bool particles_fit(const SourceInfo& info, const SourceSelection& selection, std::uint64_t memory) {
  return all_particles_fit(info, std::span(&selection, 1), memory);
}

bool all_particles_fit(const SourceInfo& info, std::span<const SourceSelection> parts,
                       std::uint64_t memory) {
  std::uint64_t all = 0;
  for (const SourceSelection& part : parts) {
    const auto bytes = particle_bytes_to_show(info, part);
    if (!bytes || *bytes == 0 || *bytes > memory - all) return false;
    all += *bytes;
  }
  return true;
}

std::optional<int> shown_level(const std::vector<Operation>& steps) {
  return steps.size() == 1 ? level_of(steps.front()) : std::nullopt;
}

std::vector<Operation> steps_to_level(int level) { return {level_step(level)}; }

}  // namespace aprscope
