#include "app/gui/panels/convert_controls.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/document/estimate_text.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"

namespace aprscope::gui {
namespace {

// The longest possible estimate, with one more line for wraps caused by bold letters.
QString longest_estimate() {
  return QObject::tr(
      "CR ≈ 888.8 · 888.8 MB → 888.8 MB\n88,888,888 particles, 88.88 × fewer than pixels\n"
      "within E = 88.8 %: 88.88 % of the pixels\npromised for 88.88 % of them: 88.88 % there\n"
      "Thresholds decide: E below 88.8 % is idle\npromise E everywhere\n"
      "thresholds: scale 8888 · gradient 888.8\n ");
}

}  // namespace

ConvertControls::ConvertControls(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);

  chip_ = new SteadyLabel(this);
  chip_->setObjectName(QStringLiteral("convert_chip"));
  // Reserves lines for the estimate, so that nothing moves when it comes and goes.
  chip_->reserve_texts({longest_estimate()});
  chip_->setTextFormat(Qt::RichText);
  // Links by mouse and by keyboard.
  chip_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(chip_, &QLabel::linkActivated, this, &ConvertControls::promise_everywhere);
  chip_->setProperty("chip", true);
  layout->addWidget(chip_);

  reason_ = new QLabel(this);
  reason_->setWordWrap(true);
  reason_->hide();
  layout->addWidget(reason_);

  preview_ = new QCheckBox(tr("Preview in the slices"), this);
  preview_->setObjectName(QStringLiteral("convert_preview"));
  preview_->setChecked(true);
  show_image_ = new QRadioButton(tr("as particles"), this);
  show_image_->setChecked(true);
  show_levels_ = new QRadioButton(tr("level map"), this);
  show_levels_->setObjectName(QStringLiteral("convert_preview_levels"));
  auto* kind = new QHBoxLayout;
  layout->addWidget(preview_);
  kind->addSpacing(22);
  kind->addWidget(show_image_);
  kind->addWidget(show_levels_);
  kind->addStretch(1);
  layout->addLayout(kind);

  form_ = new OperationForm(this);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(form_);
  layout->addWidget(scroll, 1);

  auto* buttons = new QHBoxLayout;
  reset_ = new QPushButton(tr("Defaults"), this);
  convert_ = new QPushButton(tr("Convert"), this);
  convert_->setObjectName(QStringLiteral("convert_button"));
  convert_->setProperty("primary", true);
  convert_->setToolTip(tr("Make an APR of the whole image in the background"));
  buttons->addWidget(reset_);
  buttons->addWidget(convert_, 1);
  choices_ = new QVBoxLayout;
  layout->addLayout(choices_);
  layout->addLayout(buttons);

  connect(form_, &OperationForm::operation_edited, this, [this] {
    update_enabled();
    emit preview_changed();
  });
  for (QAbstractButton* button :
       {static_cast<QAbstractButton*>(preview_), static_cast<QAbstractButton*>(show_levels_)}) {
    connect(button, &QAbstractButton::toggled, this, [this] {
      update_enabled();
      emit preview_changed();
    });
  }
  connect(reset_, &QPushButton::clicked, this, [this] {
    set_operation({"convert", {}});
    emit preview_changed();
  });
  connect(convert_, &QPushButton::clicked, this,
          [this] { emit convert_requested(form_->operation()); });
  set_operation({"convert", {}});
  set_estimating();
}

void ConvertControls::set_operation(const Operation& operation) {
  form_->set_operation(operation);
  // The operation has thresholds of its own.
  was_automatic_ = parameter<bool>(form_->operation(), "auto_thresholds");
  update_enabled();
}

void ConvertControls::set_several_channels(bool several) {
  several_ = several;
  update_enabled();
}

void ConvertControls::add_choice(QWidget* choice) { choices_->addWidget(choice); }

const Operation& ConvertControls::operation() const { return form_->operation(); }

bool ConvertControls::preview_wanted() const { return preview_->isChecked(); }

bool ConvertControls::preview_levels() const { return show_levels_->isChecked(); }

QString ConvertControls::chip_text() const { return chip_->text(); }

void ConvertControls::update_enabled() {
  const bool automatic = parameter<bool>(form_->operation(), "auto_thresholds");
  // When automatic thresholds are turned off, the ones found last are the start for editing.
  if (std::exchange(was_automatic_, automatic) && !automatic && found_) {
    const auto [scale, gradient] = *std::exchange(found_, std::nullopt);
    form_->set_real("sigma_th", scale);
    form_->set_real("grad_th", gradient);
  }
  form_->set_parameter_enabled("sigma_th", !automatic);
  form_->set_parameter_enabled("grad_th", !automatic);
  form_->set_parameter_enabled("structure", several_);
  // Display choices need a preview, so they are disabled with it.
  const bool previewed = preview_->isEnabled() && preview_->isChecked();
  show_image_->setEnabled(previewed);
  show_levels_->setEnabled(previewed);
}

void ConvertControls::set_available(bool available, const QString& reason) {
  // Thresholds found for the image before do not apply.
  found_.reset();
  convert_->setEnabled(available);
  form_->setEnabled(available);
  preview_->setEnabled(available);
  update_enabled();
  chip_->setVisible(available);
  reason_->setText(reason);
  reason_->setVisible(!available && !reason.isEmpty());
}

void ConvertControls::set_estimating() {
  chip_->setText(tr("<b>Estimating …</b>"));
  chip_->setEnabled(false);
}

void ConvertControls::set_estimate_failed(const QString& message) {
  chip_->setText(message.toHtmlEscaped());
  chip_->setEnabled(true);
}

void ConvertControls::set_estimate(const ConversionEstimate& e) {
  if (parameter<bool>(operation(), "auto_thresholds")) {
    found_ = std::pair(static_cast<double>(e.sigma_th), static_cast<double>(e.grad_th));
  }
  chip_->setText(estimate_html(e));
  chip_->setToolTip(estimate_tip(e));
  chip_->setEnabled(true);
  // The button is not highlighted if particles would take more memory than pixels.
  convert_->setProperty("primary", e.bytes_apr <= e.bytes_pixels);
  convert_->style()->unpolish(convert_);
  convert_->style()->polish(convert_);
}

// Makes the bound hold everywhere. Only the gradient threshold limits where it does.
void ConvertControls::promise_everywhere() {
  if (auto* automatic = qobject_cast<QCheckBox*>(form_->control("auto_thresholds"))) {
    automatic->setChecked(false);
  }
  form_->set_real("grad_th", 0.0);
}

}  // namespace aprscope::gui
