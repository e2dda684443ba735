#include <stdexcept>

#include <nanobind/nanobind.h>

#include "app/python/bind/bind.hpp"
#include "core/base/system.hpp"

NB_MODULE(_core, module) {
  namespace python = aprscope::python;
  if (!aprscope::cpu_supported()) {
    throw std::runtime_error(
        "aprscope: this processor lacks AVX2, FMA or BMI2; use a machine built "
        "since about 2013");
  }
  module.attr("__version__") = APRSCOPE_VERSION;
  python::bind_errors(module);
  python::bind_data(module);
  python::bind_particles(module);
  python::bind_files(module);
  python::bind_measured(module);
  python::bind_schemas(module);
  python::bind_runs(module);
  python::bind_system(module);
}
