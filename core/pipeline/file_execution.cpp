#include "core/pipeline/file_execution.hpp"

#include <chrono>
#include <iterator>
#include <utility>

#include "core/base/system.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/particles/file_conversion.hpp"
#include "core/operations/particles/overview.hpp"

namespace aprscope {
namespace {

// Reading against computing.
constexpr double kReadingShare = 0.4;

// What the first step makes of the part that it needs, and what that took; nothing where it needs
// the whole.
Result<std::optional<Execution>> first_step(const Operation& step, const SourceInfo& info,
                                            const SourceSelection& selection,
                                            const JobContext& context) {
  const OperationType* type = operations().find(step.id);
  const auto whole = complete(step);
  if (type == nullptr || !type->of_file || !whole) return std::optional<Execution>();
  const PeakMeter memory;
  const auto start = std::chrono::steady_clock::now();
  auto made = type->of_file(*whole, info, selection, context);
  if (!made) return made.error();
  if (!*made) return std::optional<Execution>();
  Execution out;
  StepCost cost;
  cost.operation = step.id;
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.bytes = own_bytes(**made);
  cost.peak_bytes = memory.extra();
  cost.backend = cpu_backend()->name();
  out.costs.push_back(std::move(cost));
  out.steps.push_back(step);
  out.data = Dataset::create(*std::move(*made));
  return std::optional<Execution>(std::move(out));
}

// What came after, behind what came first.
Execution joined(Execution first, Execution rest) {
  for (StepMeasurement& one : rest.measured) one.step += first.steps.size();
  rest.costs.insert(rest.costs.begin(), std::make_move_iterator(first.costs.begin()),
                    std::make_move_iterator(first.costs.end()));
  rest.steps.insert(rest.steps.begin(), std::make_move_iterator(first.steps.begin()),
                    std::make_move_iterator(first.steps.end()));
  return rest;
}

}  // namespace

bool may_take_part(const std::vector<Operation>& steps) {
  if (steps.empty()) return false;
  const OperationType* type = operations().find(steps.front().id);
  return type != nullptr && static_cast<bool>(type->of_file);
}

Result<Execution> execute_file(const std::vector<Operation>& steps, const SourceInfo& info,
                               const SourceSelection& selection, const Backend& backend,
                               const RunContext& run, const std::optional<VoxelSize>& voxel) {
  const JobContext reading = run.job.part(0.0, kReadingShare);
  RunContext computing = run;
  computing.job = run.job.part(kReadingShare, 1.0);
  // A voxel size that is typed belongs to the image before the step.
  if (!voxel && info.is_apr && may_take_part(steps)) {
    auto first = first_step(steps.front(), info, selection, reading);
    if (!first) return first.error();
    if (*first) {
      const std::vector<Operation> rest(steps.begin() + 1, steps.end());
      auto done = execute(rest, (*first)->data, backend, computing);
      if (!done) return done.error();
      return joined(std::move(**first), *std::move(done));
    }
  }
  auto data = load(info, selection, reading);
  if (!data) return data.error();
  if (voxel) std::visit([&](auto& one) { one.voxel = *voxel; }, *data);
  return execute(steps, Dataset::create(*std::move(data)), backend, computing);
}

Result<Execution> open_file(const SourceInfo& info, const SourceSelection& selection,
                            std::uint64_t memory, const Backend& backend, const RunContext& run) {
  if (info.is_apr) {
    const auto bytes = particle_bytes_to_show(info, selection);
    if (!bytes) return bytes.error();
    if (*bytes > memory) {
      // The projection holds what it shows once more.
      const Operation step = level_step(overview_level(info.size, memory / 2));
      auto shown = first_step(step, info, selection, run.job);
      if (!shown) return shown.error();
      if (*shown) return *std::move(*shown);
      return Error{"takes " + format_bytes(*bytes) + " of memory where there are " +
                       format_bytes(memory) + ", and has no tree of which a part could be shown",
                   info.path.string(),
                   "write it anew with --tree, or crop it with aprscope-cli crop"};
    }
  }
  return execute_file({}, info, selection, backend, run);
}

bool image_fits(const SourceInfo& info, std::uint64_t memory) {
  return bytes_to_show(info.size, info.dtype) <= memory;
}

std::optional<int> shown_level(const std::vector<Operation>& steps) {
  return steps.size() == 1 ? level_of(steps.front()) : std::nullopt;
}

Result<std::uint64_t> convert_file(const Operation& convert, const SourceInfo& info,
                                   const SourceSelection& selection,
                                   const std::filesystem::path& output, const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the image itself", output.string(), "choose another name"};
  }
  auto source = open_slices(info, selection);
  if (!source) return source.error();
  const VoxelSize voxel = (*source)->header().voxel;
  const auto made = convert_to_file(convert, **source, voxel, output, true, context);
  if (!made) return made.error();
  return made->particles;
}

}  // namespace aprscope
