#include "app/gui/panels/background_box.hpp"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/gui/document/item.hpp"
#include "app/gui/document/job_bridge.hpp"
#include "app/gui/widgets/file_patterns.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"

namespace aprscope::gui {
namespace {

bool is_own(const std::string& id) {
  const auto all = background_parameters();
  return std::any_of(all.begin(), all.end(), [&](const auto& spec) { return spec.id == id; });
}

}  // namespace

BackgroundBox::BackgroundBox(JobBridge& jobs, QWidget* parent) : QWidget(parent), jobs_(jobs) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  form_ = new OperationForm(this);
  form_->setObjectName(QStringLiteral("background_form"));
  form_->set_filter(is_own);
  layout->addWidget(form_);
  file_ = new QPushButton(tr("Choose a background image …"), this);
  file_->setObjectName(QStringLiteral("background_choose_file"));
  layout->addWidget(file_);
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("background_note"));
  note_->setProperty("muted", true);
  note_->setWordWrap(true);
  layout->addWidget(note_);
  connect(form_, &OperationForm::operation_edited, this, &BackgroundBox::edited);
  connect(file_, &QPushButton::clicked, this, &BackgroundBox::choose_file);
  set_operation({"deconvolve", {}});
}

bool BackgroundBox::guesses() const { return parameter<bool>(form_->operation(), "offset_auto"); }

bool BackgroundBox::pending() const { return guesses() && target_ && !guess_; }

void BackgroundBox::set_target(std::shared_ptr<const Dataset> target) {
  if (target == target_) return;
  target_ = std::move(target);
  guess_.reset();
  asked_ = false;
  edited();
}

void BackgroundBox::set_operation(const Operation& operation) {
  form_->set_operation(operation);
  edited();
}

Operation BackgroundBox::with_background(Operation operation) const {
  for (const auto& [id, value] : form_->operation().parameters) {
    if (is_own(id)) operation.parameters[id] = value;
  }
  if (guesses() && guess_) {
    operation.parameters["offset"] = *guess_;
    operation.parameters["offset_auto"] = false;
  }
  // A background number has no effect if there is a file, where its field is disabled.
  if (!parameter<std::string>(form_->operation(), "background_file").empty()) {
    operation.parameters["background"] = 0.0;
  }
  return operation;
}

void BackgroundBox::edited() {
  form_->set_parameter_enabled("offset", !guesses());
  form_->set_parameter_enabled(
      "background", parameter<std::string>(form_->operation(), "background_file").empty());
  if (guesses() && !guess_) guess();
  show_guess();
  emit changed();
}

void BackgroundBox::guess() {
  if (!target_ || asked_) return;
  asked_ = true;
  jobs_.post(
      Lane::preview, tr("Guessing the offset"), "offset guess", this,
      [image = target_](const JobContext&) -> Result<double> {
        if (!has_values(*image)) {
          return Error{"has no particle values", image->name(), "open a file with a field"};
        }
        return guess_offset(*image);
      },
      [this, image = target_](const Result<double>& guess) {
        if (image != target_) return;
        if (!guess) {
          asked_ = false;
          if (!guess.error().cancelled()) {
            note_->setText(QString::fromStdString(guess.error().message()));
            note_->show();
          }
          return;
        }
        guess_ = *guess;
        edited();
      });
}

void BackgroundBox::show_guess() {
  note_->setVisible(guesses());
  if (!guesses()) return;
  if (!guess_) {
    note_->setText(target_ ? tr("Looking at the darkest pixels …") : QString());
    return;
  }
  if (auto* box = qobject_cast<QDoubleSpinBox*>(form_->control("offset"))) {
    // Shows the guess without an edit, so that the form keeps what was typed.
    const QSignalBlocker quiet(box);
    box->setValue(*guess_);
  }
  note_->setText(tr("Guessed: %1 grey values, the median of the darkest per cent of the pixels. "
                    "Untick the guess to change it.")
                     .arg(*guess_, 0, 'g', 6));
}

void BackgroundBox::choose_file() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("An image of the background"), {},
                                   tr("Images (%1);;All files (*)").arg(readable_patterns()));
  if (path.isEmpty()) return;
  if (auto* line = qobject_cast<QLineEdit*>(form_->control("background_file"))) {
    line->setText(path);
  }
}

}  // namespace aprscope::gui
