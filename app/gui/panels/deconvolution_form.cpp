#include "app/gui/panels/deconvolution_form.hpp"

#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

// Parameters that have boxes of their own.
bool is_elsewhere(const std::string& id) {
  for (const auto& all : {psf_parameters(), background_parameters()}) {
    for (const ParameterSpec& spec : all) {
      if (spec.id == id) return true;
    }
  }
  return false;
}

}  // namespace

DeconvolutionForm::DeconvolutionForm(QWidget* parent) : OperationForm(parent) {
  set_filter([](const std::string& id) {
    return !is_elsewhere(id) && id != "start" && id != "start_file";
  });
}

Operation DeconvolutionForm::own_operation() const {
  Operation own{"deconvolve", {}};
  for (const auto& [id, value] : operation().parameters) {
    if (!is_elsewhere(id)) own.parameters[id] = value;
  }
  return own;
}

void DeconvolutionForm::follow(bool particles) {
  const bool regularised = parameter<std::string>(operation(), "regularisation") != "none";
  set_parameter_enabled("strength", regularised);
  const Operation asked = operation();
  set_parameter_enabled("iterations", back_projector_counts(asked, "iterations"));
  for (const ParameterSpec& spec : back_projector_parameters()) {
    set_parameter_enabled(spec.id, back_projector_counts(asked, spec.id));
  }
  set_parameter_enabled("scheme", particles);
  set_parameter_enabled("near", particles);
}

}  // namespace aprscope::gui
