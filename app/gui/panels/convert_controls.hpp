#pragma once

#include <QWidget>
#include <optional>
#include <utility>

#include "app/gui/document/item.hpp"
#include "core/operations/schema/operation.hpp"

class QCheckBox;
class QLabel;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace aprscope::gui {

class OperationForm;
class SteadyLabel;

/// The controls of the Convert panel: all parameters, the live estimate as a chip, and the Convert
/// button. They only hold values; their owner makes previews and converts.
class ConvertControls : public QWidget {
  Q_OBJECT

 public:
  explicit ConvertControls(QWidget* parent = nullptr);

  void set_operation(const Operation& operation);
  [[nodiscard]] const Operation& operation() const;
  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Whether several channels are converted together, which alone can share a structure.
  void set_several_channels(bool several);
  /// Adds a widget above the buttons.
  void add_choice(QWidget* choice);

  /// Whether the shown data can be converted; else why not.
  void set_available(bool available, const QString& reason = {});
  void set_estimate(const ConversionEstimate& estimate);
  /// Shows that the estimate for new parameters is being computed.
  void set_estimating();
  void set_estimate_failed(const QString& message);

  [[nodiscard]] bool preview_wanted() const;
  /// True: the preview shows the level map; false: the reconstruction.
  [[nodiscard]] bool preview_levels() const;
  [[nodiscard]] QString chip_text() const;

 signals:
  /// The parameters or the kind of preview changed.
  void preview_changed();
  void convert_requested(const aprscope::Operation& operation);

 private:
  void update_enabled();
  void promise_everywhere();

  OperationForm* form_ = nullptr;
  SteadyLabel* chip_ = nullptr;
  QLabel* reason_ = nullptr;
  QCheckBox* preview_ = nullptr;
  QRadioButton* show_image_ = nullptr;
  QRadioButton* show_levels_ = nullptr;
  QVBoxLayout* choices_ = nullptr;
  QPushButton* convert_ = nullptr;
  QPushButton* reset_ = nullptr;
  bool was_automatic_ = true;
  bool several_ = false;
  /// The scale and gradient thresholds that were found automatically for this image.
  std::optional<std::pair<double, double>> found_;
};

}  // namespace aprscope::gui
