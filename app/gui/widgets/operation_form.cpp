#include "app/gui/widgets/operation_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <array>

#include "app/gui/widgets/number_field.hpp"
#include "app/gui/widgets/stencil_editor.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

QString label_text(const ParameterSpec& spec, const QString& length_unit) {
  const QString label = QString::fromStdString(spec.label);
  QString unit = QString::fromStdString(spec.unit);
  if (spec.unit == kLengthUnit) unit = length_unit;
  if (spec.unit == kVolumeUnit) unit = length_unit + QStringLiteral("³");
  return unit.isEmpty() ? label : QStringLiteral("%1 (%2)").arg(label, unit);
}

}  // namespace

OperationForm::OperationForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout_->setRowWrapPolicy(QFormLayout::WrapLongRows);
}

void OperationForm::set_length_unit(const QString& unit) {
  if (unit == length_unit_) return;
  length_unit_ = unit;
  if (!operation_.id.empty()) set_operation(operation_);
}

void OperationForm::show_what_counts() {
  for (const auto& [id, control] : controls_) {
    layout_->setRowVisible(control, counts(operation_, id));
  }
}

void OperationForm::set_operation(const Operation& operation) {
  const OperationSchema* schema = find_schema(operation.id);
  if (schema == nullptr) return;
  const auto completed = complete(operation);
  operation_ = completed ? *completed : operation;
  filling_ = true;
  while (layout_->rowCount() > 0) layout_->removeRow(0);
  controls_.clear();
  for (const ParameterSpec& spec : schema->parameters) {
    if (wanted_ && !wanted_(spec.id)) continue;
    QWidget* control = make_control(spec);
    control->setObjectName(QString::fromStdString(spec.id));
    control->setAccessibleName(QString::fromStdString(spec.label));
    control->setToolTip(QString::fromStdString(spec.help));
    controls_[spec.id] = control;
    auto* label = new QLabel(label_text(spec, length_unit_), this);
    label->setToolTip(QString::fromStdString(spec.help));
    if (spec.type == ParameterType::stencil) {
      layout_->addRow(control);
      delete label;
    } else if (spec.type == ParameterType::boolean) {
      static_cast<QCheckBox*>(control)->setText(QString::fromStdString(spec.label));
      layout_->addRow(control);
      delete label;
    } else {
      layout_->addRow(label, control);
    }
  }
  filling_ = false;
}

QWidget* OperationForm::control(const std::string& parameter) const {
  const auto found = controls_.find(parameter);
  return found != controls_.end() ? found->second : nullptr;
}

void OperationForm::set_parameter_enabled(const std::string& parameter, bool enabled) {
  QWidget* widget = control(parameter);
  if (widget == nullptr) return;
  widget->setEnabled(enabled);
  if (QWidget* label = layout_->labelForField(widget)) label->setEnabled(enabled);
}

void OperationForm::set_real(const std::string& parameter, double value) {
  if (auto* field = dynamic_cast<RealField*>(control(parameter))) field->setValue(value);
}

void OperationForm::edit(const std::string& parameter, ParameterValue value) {
  if (filling_) return;
  operation_.parameters[parameter] = std::move(value);
  emit operation_edited(operation_);
}

QWidget* OperationForm::make_control(const ParameterSpec& spec) {
  const ParameterValue& value = operation_.parameters.at(spec.id);
  const std::string id = spec.id;
  switch (spec.type) {
    case ParameterType::boolean: {
      auto* box = new QCheckBox(this);
      box->setChecked(std::get<bool>(value));
      connect(box, &QCheckBox::toggled, this, [this, id](bool on) { edit(id, on); });
      return box;
    }
    case ParameterType::integer: {
      auto* box =
          new WholeField(static_cast<int>(spec.minimum), static_cast<int>(spec.maximum), this);
      if (!spec.lowest.empty()) box->setSpecialValueText(QString::fromStdString(spec.lowest));
      box->setValue(static_cast<int>(std::get<std::int64_t>(value)));
      connect(box, &QSpinBox::valueChanged, this,
              [this, id](int v) { edit(id, static_cast<std::int64_t>(v)); });
      return box;
    }
    case ParameterType::real:
      return make_real(spec, std::get<double>(value), [this, id](double v) { edit(id, v); });
    case ParameterType::choice: {
      auto* box = new QComboBox(this);
      for (const std::string& c : spec.choices) box->addItem(QString::fromStdString(c));
      box->setCurrentText(QString::fromStdString(std::get<std::string>(value)));
      connect(box, &QComboBox::currentTextChanged, this,
              [this, id](const QString& text) { edit(id, text.toStdString()); });
      return box;
    }
    case ParameterType::text: {
      auto* line = new QLineEdit(QString::fromStdString(std::get<std::string>(value)), this);
      connect(line, &QLineEdit::textChanged, this,
              [this, id](const QString& text) { edit(id, text.toStdString()); });
      return line;
    }
    case ParameterType::vector3:
      return make_vector(spec);
    case ParameterType::stencil: {
      auto* editor = new StencilEditor(this);
      editor->set_stencil(std::get<Stencil>(value));
      connect(editor, &StencilEditor::stencil_edited, this,
              [this, id](const Stencil& s) { edit(id, s); });
      return editor;
    }
  }
  return new QWidget(this);
}

QWidget* OperationForm::make_real(const ParameterSpec& spec, double value,
                                  const std::function<void(double)>& edited) {
  auto* box = new RealField(spec.minimum, spec.maximum, this);
  if (!spec.lowest.empty()) box->setSpecialValueText(QString::fromStdString(spec.lowest));
  box->setValue(value);
  connect(box, &QDoubleSpinBox::valueChanged, this, edited);
  return box;
}

QWidget* OperationForm::make_vector(const ParameterSpec& spec) {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  const std::string id = spec.id;
  const auto vector = std::get<std::array<double, 3>>(operation_.parameters.at(id));
  constexpr std::array kNames{"z", "x", "y"};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto edited = [this, id, d](double v) {
      auto now = std::get<std::array<double, 3>>(operation_.parameters.at(id));
      now[d] = v;
      edit(id, now);
    };
    QAbstractSpinBox* box = nullptr;
    if (spec.odd) {
      auto* odd = new WholeField(static_cast<int>(spec.minimum), static_cast<int>(spec.maximum),
                                 row, WholeField::Kind::odd);
      odd->setValue(static_cast<int>(vector[d]));
      connect(odd, &QSpinBox::valueChanged, this, edited);
      box = odd;
    } else {
      box = static_cast<RealField*>(make_real(spec, vector[d], edited));
      box->setParent(row);
    }
    box->setObjectName(QString::fromStdString(id) + QLatin1Char('_') + QLatin1String(kNames[d]));
    box->setToolTip(QString::fromStdString(spec.help));
    add_labelled(*layout, QLatin1String(kNames[d]), *box);
  }
  return row;
}

}  // namespace aprscope::gui
