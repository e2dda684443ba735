#pragma once

#include <nanobind/nanobind.h>

// The parts of the module, each in the source file of its name.

namespace aprscope::python {

void bind_errors(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_particles(nanobind::module_& module);
void bind_files(nanobind::module_& module);
void bind_measured(nanobind::module_& module);
void bind_schemas(nanobind::module_& module);
void bind_runs(nanobind::module_& module);
void bind_system(nanobind::module_& module);

}  // namespace aprscope::python
