// Runs steps in the same way as the command line: by execute().
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/bind.hpp"
#include "app/python/bind/call.hpp"
#include "app/python/bind/devices.hpp"
#include "app/python/bind/held.hpp"
#include "app/python/bind/measured.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

nb::list costs_of(const std::vector<StepCost>& costs) {
  nb::list all;
  for (const StepCost& cost : costs) {
    nb::dict one;
    one["operation"] = python_text(cost.operation);
    one["seconds"] = cost.seconds;
    one["bytes"] = cost.bytes;
    one["backend"] = python_text(cost.backend);
    all.append(one);
  }
  return all;
}

// Returns (data, measurements, the cost of each step, the steps with the parameters used).
nb::tuple run(const Held& held, const std::string& recipe, const std::string& device,
              const nb::object& progress, const nb::object& on_iteration, const Held* truth,
              const Held* start) {
  auto steps = or_throw(recipe_from_json(recipe)).steps;
  if (!held.path.empty()) steps = steps_for(std::move(steps), held.path);
  Watchers watchers;
  watchers.progress = progress;
  watchers.on_iteration = on_iteration;
  IterationHooks hooks;
  hooks.keep = watchers.keep.get_token();
  if (truth != nullptr) hooks.truth = truth->data;
  if (start != nullptr) hooks.start = start->data;
  const bool watched = !on_iteration.is_none();
  const Execution done = computed<Execution>(
      [data = held.data, steps, device, hooks, watched](const JobContext& context,
                                                        BesideJob& self) -> Result<Execution> {
        const auto backend = backend_named(device);
        if (!backend) return backend.error();
        RunContext host(context);
        host.hooks = hooks;
        if (watched) {
          host.hooks.observer = [&self](const IterationReport& report, std::span<const float>) {
            self.add(report);
          };
        }
        return execute(steps, data, **backend, host);
      },
      watchers);
  nb::list measured;
  for (const auto& found : found_in(done)) measured.append(Measured{found});
  return nb::make_tuple(Held{done.data, done.data == held.data ? held.path : std::string()},
                        measured, costs_of(done.costs),
                        python_text(to_json(Recipe{"", 0, 0, done.steps})));
}

}  // namespace

void bind_runs(nb::module_& module) {
  module.def("run", run, "held"_a, "recipe"_a, "device"_a, "progress"_a.none(),
             "on_iteration"_a.none(), "truth"_a.none(), "start"_a.none());
}

}  // namespace aprscope::python
