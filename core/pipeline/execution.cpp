#include "core/pipeline/execution.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <set>
#include <utility>

#include "core/base/memory_limit.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope {
Error error_of_step(Error error, std::size_t step, const std::string& id, std::size_t count) {
  if (error.cancelled() || count < 2) return error;
  const std::string which = "step " + std::to_string(step + 1) + " (" + id + ")";
  error.where = which + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

std::uint64_t own_bytes(const Data& data) {
  const auto* apr = std::get_if<Apr>(&data);
  return apr != nullptr ? apr->bytes() : std::get<Volume>(data).bytes();
}

std::vector<std::shared_ptr<const Measurement>> found_in(const Execution& run) {
  std::vector<std::shared_ptr<const Measurement>> all;
  for (const StepMeasurement& one : run.measured) all.push_back(one.found);
  return all;
}

std::string move_reasons(const std::vector<StepCost>& costs) {
  std::string text;
  for (const StepCost& cost : costs) {
    if (!cost.moved || text.find(cost.moved->reason) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + cost.moved->reason;
  }
  return text;
}

TotalCost total(const std::vector<StepCost>& costs) {
  TotalCost sum;
  std::string last;
  for (const StepCost& cost : costs) {
    sum.seconds += cost.seconds;
    if (cost.peak_bytes) sum.peak_bytes = std::max(sum.peak_bytes.value_or(0), *cost.peak_bytes);
    if (cost.backend != last) sum.backend += (sum.backend.empty() ? "" : " + ") + cost.backend;
    last = cost.backend;
  }
  return sum;
}

namespace {

// Whether a step keeps to the memory that is given, beside the data that are held; 0: any does.
// What a step on another device takes on the host is not known: its result is taken to be as large
// as its input.
Status check_memory(const Operation& step, const Dataset& input, std::uint64_t held,
                    const Backend& backend, std::uint64_t memory) {
  if (memory == 0) return {};
  const bool here = backend.id() == cpu_backend()->id();
  const std::uint64_t takes =
      held + (here ? backend.estimate_bytes(step, input) : own_bytes(input.data()));
  if (takes <= most_within(memory)) return {};
  return Error{"takes about " + format_bytes(takes) +
                   " of memory with its data, as it cannot be "
                   "done part by part here, and " +
                   format_bytes(memory) + " are allowed",
               step.id, "allow more memory, or work on a smaller part"};
}

// Bytes of data, each counted once; null is none.
std::uint64_t bytes_held(std::initializer_list<const Dataset*> all) {
  std::set<const Dataset*> once(all);
  once.erase(nullptr);
  std::uint64_t bytes = 0;
  for (const Dataset* const one : once) bytes += own_bytes(one->data());
  return bytes;
}

}  // namespace

Result<Execution> execute(const std::vector<Operation>& steps, std::shared_ptr<const Dataset> input,
                          const Backend& backend, const RunContext& run,
                          std::shared_ptr<const Dataset> deconvolved_from) {
  using Clock = std::chrono::steady_clock;
  const JobContext& context = run.job;
  const auto beside = [&] {
    return run.beside ? run.beside() : std::chrono::duration<double>(0.0);
  };
  const auto failed = [&](const Error& error, std::size_t i) {
    return error_of_step(error, run.steps_before + i, steps[i].id, run.steps_before + steps.size());
  };
  Execution out;
  // Whoever calls may hold it until the end, or have given it away: then it goes after a step.
  const std::weak_ptr<const Dataset> first = input;
  const auto held = [&] {
    return bytes_held(
        {first.lock().get(), out.data.get(), out.converted_from.get(), out.deconvolved_from.get()});
  };
  out.data = std::move(input);
  out.deconvolved_from = std::move(deconvolved_from);
  const auto count = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto done = static_cast<double>(i);
    const PeakMeter memory;
    const auto start = Clock::now();
    const auto aside = beside();
    std::optional<DeviceMove> moved;
    const JobContext part =
        context.part(done / count, (done + 1.0) / count).listening([&](const DeviceMove& move) {
          moved = move;
        });
    const auto note_cost = [&](const std::string& id, std::uint64_t bytes) {
      StepCost cost;
      cost.operation = id;
      const auto taken = std::chrono::duration<double>(Clock::now() - start) - (beside() - aside);
      cost.seconds = taken.count();
      cost.bytes = bytes;
      cost.peak_bytes = memory.extra();
      cost.backend = moved ? moved->name : backend.name();
      cost.moved = std::move(moved);
      out.costs.push_back(std::move(cost));
    };
    if (Status fits = check_memory(steps[i], *out.data, held(), backend, run.memory); !fits) {
      return failed(fits.error(), i);
    }
    if (traits_of(steps[i]).gives == Gives::measurement) {
      const Operation step = settled(steps[i], *out.data, part.part(0.0, 0.3));
      auto found = backend.measure(step, *out.data, part);
      if (!found) return failed(found.error(), i);
      note_cost(step.id, found->bytes());
      out.measured.push_back({i, out.data, std::make_shared<const Measurement>(*std::move(found))});
      out.steps.push_back(step);
      continue;
    }
    const bool continued = goes_on(steps[i]) && out.deconvolved_from;
    const Operation step =
        settled(steps[i], continued ? *out.deconvolved_from : *out.data, part.part(0.0, 0.3));
    const Traits& traits = traits_of(step);
    if (!continued) out.deconvolved_from = traits.iterates ? out.data : nullptr;
    IterationHooks hooks = run.hooks;
    if (i > 0) hooks.start.reset();
    if (continued) hooks.start = out.data;
    if (traits.gives == Gives::labels) {
      auto labelled = backend.find_labels(step, *out.data, part);
      if (!labelled) return failed(labelled.error(), i);
      note_cost(step.id, own_bytes((*labelled)->data()));
      out.steps.push_back(step);
      out.data = *std::move(labelled);
      if (context.stop_requested()) return cancelled_error();
      continue;
    }
    auto result =
        traits.iterates || traits.is_watched
            ? backend.iterate(step, continued ? *out.deconvolved_from : *out.data, hooks, part)
            : backend.run(step, *out.data, part);
    if (!result) return failed(result.error(), i);
    note_cost(step.id, own_bytes(*result));
    out.steps.push_back(step);
    if (traits.gives == Gives::apr) out.converted_from = out.data;
    if (traits.gives == Gives::pixels) out.converted_from.reset();
    out.data = Dataset::create(*std::move(result));
    if (context.stop_requested()) return cancelled_error();
  }
  return out;
}

}  // namespace aprscope
