#pragma once

#include "app/gui/widgets/operation_form.hpp"

namespace aprscope::gui {

/// The parameters of a deconvolution that have no boxes of their own, as those of its PSF, its
/// background and its start have.
class DeconvolutionForm : public OperationForm {
  Q_OBJECT

 public:
  explicit DeconvolutionForm(QWidget* parent = nullptr);

  /// The operation without what the boxes of PSF and background say.
  [[nodiscard]] Operation own_operation() const;
  /// Enables what has an effect; `particles`: whether the data has particles.
  void follow(bool particles);
};

}  // namespace aprscope::gui
