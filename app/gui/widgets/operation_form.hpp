#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <string>

#include "core/operations/schema/operation.hpp"

class QFormLayout;

namespace aprscope::gui {

class StencilEditor;

/// Controls for the parameters of an operation, made from its schema, which has their units, ranges
/// and help. Each edit is emitted at once, so that a preview can follow.
class OperationForm : public QWidget {
  Q_OBJECT

 public:
  explicit OperationForm(QWidget* parent = nullptr);

  /// Only parameters for which `wanted` is true get controls, from the next set_operation() on.
  void set_filter(std::function<bool(const std::string& parameter)> wanted) {
    wanted_ = std::move(wanted);
  }

  /// Sets the unit of lengths, which is that of the current data.
  void set_length_unit(const QString& unit);
  /// Hides the controls of parameters that have no effect with the values of the others.
  void show_what_counts();

  /// Shows the controls of an operation with its values; emits nothing.
  void set_operation(const Operation& operation);
  [[nodiscard]] const Operation& operation() const { return operation_; }

  /// The control of a parameter (a QCheckBox, QSpinBox, QDoubleSpinBox, QComboBox, a row of three
  /// QDoubleSpinBox, or a StencilEditor), named like the parameter. Null for an unknown one.
  [[nodiscard]] QWidget* control(const std::string& parameter) const;

  /// Shows another value of a real parameter, as if it had been typed.
  void set_real(const std::string& parameter, double value);
  /// Disables the control of a parameter that has no effect at the moment.
  void set_parameter_enabled(const std::string& parameter, bool enabled);

 signals:
  void operation_edited(const aprscope::Operation& operation);

 private:
  QWidget* make_control(const ParameterSpec& spec);
  QWidget* make_real(const ParameterSpec& spec, double value,
                     const std::function<void(double)>& edited);
  QWidget* make_vector(const ParameterSpec& spec);
  void edit(const std::string& parameter, ParameterValue value);

  Operation operation_;
  std::function<bool(const std::string&)> wanted_;
  QFormLayout* layout_ = nullptr;
  std::map<std::string, QWidget*> controls_;
  std::string shown_id_;
  QString length_unit_ = QStringLiteral("px");
  bool filling_ = false;
};

}  // namespace aprscope::gui
