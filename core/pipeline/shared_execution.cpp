#include "core/pipeline/shared_execution.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

#include "core/apr/convert/structure_union.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope {
namespace {

// Of the progress: until the cells are known, and until each channel has its values there.
constexpr double kKnownCells = 0.6;
constexpr double kKnownValues = 0.8;

// What the conversion of a channel says of itself, without its own particles.
Apr told_by(const Apr& apr) {
  Apr out = apr;
  out.access.reset();
  out.fields.clear();
  out.labels.reset();
  return out;
}

// The share of channel i of `count` in a part of the progress.
JobContext share_of(const JobContext& context, std::size_t i, std::size_t count) {
  const double n = static_cast<double>(count);
  return context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
}

// Takes the values of a channel at the cells that all share.
Status move_to(const std::shared_ptr<const AprAccess>& access, const Apr& told, Execution& run,
               const JobContext& context) {
  const auto start = std::chrono::steady_clock::now();
  auto made = particles_at(told, access, *run.converted_from, context);
  if (!made) return made.error();
  StepCost& cost = run.costs.back();
  cost.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.bytes = own_bytes(*made);
  run.data = Dataset::create(*std::move(made));
  return {};
}

// Runs the steps after the conversion.
Status go_on(const std::vector<Operation>& steps, Execution& run, const Backend& backend,
             const JobContext& context) {
  RunContext rest(context);
  rest.steps_before = run.steps.size();
  auto done = execute(steps, run.data, backend, rest);
  if (!done) return done.error();
  for (StepMeasurement& one : done->measured) one.step += run.steps.size();
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(run.measured, done->measured);
  append(run.costs, done->costs);
  append(run.steps, done->steps);
  run.data = std::move(done->data);
  run.deconvolved_from = std::move(done->deconvolved_from);
  if (done->converted_from) run.converted_from = std::move(done->converted_from);
  if (!run.data->is_apr()) run.converted_from.reset();
  return {};
}

// Steps of a channel up to the conversion, or those after it.
std::vector<Operation> steps_to_cells(const SharedChannel& channel) {
  const auto first = channel.steps.begin();
  return {first, first + static_cast<std::ptrdiff_t>(shared_conversion(channel.steps).value()) + 1};
}
std::vector<Operation> steps_after(const SharedChannel& channel) {
  const auto first = channel.steps.begin();
  return {first + static_cast<std::ptrdiff_t>(shared_conversion(channel.steps).value()) + 1,
          channel.steps.end()};
}

Result<std::vector<Execution>> run_all(std::span<const SharedChannel> channels,
                                       const Backend& backend, const JobContext& context) {
  std::vector<Execution> runs;
  std::vector<Apr> told;
  std::optional<StructureUnion> all;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const SharedChannel& channel = channels[i];
    auto run = execute(steps_to_cells(channel), channel.input, backend,
                       share_of(context.part(0.0, kKnownCells), i, channels.size()),
                       channel.deconvolved_from);
    if (!run) return run.error();
    const Apr& own = run->data->apr();
    if (!all) all.emplace(own.access->size());
    if (Status added = all->add(*own.access, JobContext(context.stop_token())); !added) {
      return added.error();
    }
    told.push_back(told_by(own));
    run->data.reset();
    runs.push_back(*std::move(run));
  }
  if (!all) return runs;
  const auto access = all->access(JobContext(context.stop_token()));
  if (!access) return access.error();
  all.reset();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Status moved = move_to(*access, told[i], runs[i],
                           share_of(context.part(kKnownCells, kKnownValues), i, runs.size()));
    if (!moved) return moved.error();
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<Operation> after = steps_after(channels[i]);
    if (after.empty()) continue;
    Status done =
        go_on(after, runs[i], backend, share_of(context.part(kKnownValues, 1.0), i, runs.size()));
    if (!done) return done.error();
  }
  return runs;
}

}  // namespace

bool share_structure(const std::vector<Operation>& steps) {
  return shared_conversion(steps).has_value();
}

bool could_share(const std::vector<Operation>& a, const std::vector<Operation>& b) {
  const auto conversion = shared_conversion(a);
  if (!conversion || shared_conversion(b) != conversion || a.size() != b.size()) return false;
  if (a[*conversion] != b[*conversion]) return false;
  return std::equal(a.begin(), a.end(), b.begin(), [](const Operation& x, const Operation& y) {
    if (x == y) return true;
    const OperationType* const type = operations().find(x.id);
    return x.id == y.id && type != nullptr && type->settled != nullptr;
  });
}

Result<std::vector<Execution>> execute_shared(std::span<const SharedChannel> channels,
                                              const Backend& backend, const JobContext& context) {
  try {
    return run_all(channels, backend, context);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to share a structure", "conversion", "close other data"};
  }
}

}  // namespace aprscope
