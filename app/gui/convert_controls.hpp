#pragma once

#include <QWidget>
#include <cstdint>

#include "core/pipeline/operation.hpp"

class QCheckBox;
class QLabel;
class QPushButton;
class QRadioButton;

namespace aprscope::gui {

class OperationForm;

/// What a conversion with the shown parameters would give.
struct ConversionEstimate {
  double computational_ratio = 0.0;
  std::uint64_t particles = 0;
  std::uint64_t bytes_pixels = 0;
  std::uint64_t bytes_apr = 0;
  /// Largest |I − Î| / σ; negative when it was not computed.
  double largest_relative_error = -1.0;
  /// Thresholds in use (found automatically or given).
  double sigma_th = 0.0;
  double grad_th = 0.0;
};

/// Every parameter of the conversion, the live estimate as a chip, and the Convert button. Knows
/// values only; whoever owns it previews and converts.
class ConvertControls : public QWidget {
  Q_OBJECT

 public:
  explicit ConvertControls(QWidget* parent = nullptr);

  void set_operation(const Operation& operation);
  [[nodiscard]] const Operation& operation() const;
  [[nodiscard]] OperationForm* form() const { return form_; }

  /// Whether the shown data can be converted; else why not.
  void set_available(bool available, const QString& reason = {});
  void set_estimate(const ConversionEstimate& estimate);
  /// The estimate is being computed for new parameters.
  void set_estimating();
  void set_estimate_failed(const QString& message);

  [[nodiscard]] bool preview_wanted() const;
  /// True: the preview shows the level map; false: the reconstruction.
  [[nodiscard]] bool preview_levels() const;
  [[nodiscard]] QString chip_text() const;

 signals:
  /// Parameters or the kind of preview changed.
  void preview_changed();
  void convert_requested(const aprscope::Operation& operation);

 private:
  void update_enabled();

  OperationForm* form_ = nullptr;
  QLabel* chip_ = nullptr;
  QLabel* reason_ = nullptr;
  QCheckBox* preview_ = nullptr;
  QRadioButton* show_image_ = nullptr;
  QRadioButton* show_levels_ = nullptr;
  QPushButton* convert_ = nullptr;
  QPushButton* reset_ = nullptr;
};

}  // namespace aprscope::gui
