#include "app/gui/measure_panel.hpp"

#include <QComboBox>
#include <QHideEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/gui/document.hpp"
#include "app/gui/elided_label.hpp"
#include "app/gui/measurement_preview.hpp"
#include "app/gui/operation_form.hpp"
#include "app/gui/steady_label.hpp"
#include "core/operations/registry.hpp"

namespace aprscope::gui {

MeasurePanel::MeasurePanel(Document& document, MeasurementPreview& preview, QWidget* parent)
    : QWidget(parent), document_(document), preview_(&preview) {
  build();
  connect(choice_, &QComboBox::currentIndexChanged, this,
          [this] { choose(choice_->currentData().toString()); });
  connect(form_, &OperationForm::operation_edited, this, &MeasurePanel::renew);
  connect(keep_, &QPushButton::clicked, this, [this] { document_.apply(form_->operation()); });
  connect(&document_, &Document::current_changed, this, &MeasurePanel::follow_item);
  connect(&document_, &Document::data_changed, this, &MeasurePanel::renew);
  connect(&preview, &MeasurementPreview::failed, note_, &QLabel::setText);
  choose(choice_->currentData().toString());
  follow_item();
}

void MeasurePanel::build() {
  auto* layout = new QVBoxLayout(this);
  choice_ = new QComboBox(this);
  choice_->setObjectName(QStringLiteral("measure_choice"));
  choice_->setToolTip(tr("What to measure on the particles (or pixels)"));
  QStringList texts;
  for (const auto& type : operations().all()) {
    if (type->traits.panel != "measure") continue;
    choice_->addItem(QString::fromStdString(type->schema.label),
                     QString::fromStdString(type->schema.id));
    texts << QString::fromStdString(type->schema.help);
  }
  layout->addWidget(choice_);
  help_ = new SteadyLabel(this);
  help_->setProperty("secondary", true);
  help_->reserve_texts(texts);
  layout->addWidget(help_);
  form_ = new OperationForm(this);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(form_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(scroll, 1);
  note_ = new ElidedLabel(this);
  note_->setObjectName(QStringLiteral("measure_note"));
  note_->setProperty("secondary", true);
  layout->addWidget(note_);
  keep_ = new QPushButton(tr("Keep"), this);
  keep_->setObjectName(QStringLiteral("measure_keep"));
  keep_->setProperty("primary", true);
  keep_->setToolTip(
      tr("Puts what is measured into the data list, where recipes, workspaces and "
         "exports find it"));
  layout->addWidget(keep_);
}

void MeasurePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew();
}

void MeasurePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Another tab, not a minimised window.
  if (!event->spontaneous() && preview_) preview_->clear();
}

void MeasurePanel::choose(const QString& id) {
  const OperationSchema* schema = find_schema(id.toStdString());
  if (schema == nullptr) return;
  help_->setText(QString::fromStdString(schema->help));
  form_->set_operation(*complete({schema->id, {}}));
  renew();
}

// A measurement is looked at with what it was made with.
void MeasurePanel::follow_item() {
  const Item* item = document_.current();
  if (item != nullptr && item->is_measurement()) {
    const Operation& made = item->recipe.steps.back();
    const int at = choice_->findData(QString::fromStdString(made.id));
    if (at >= 0) {
      const QSignalBlocker quiet(choice_);
      choice_->setCurrentIndex(at);
      help_->setText(QString::fromStdString(find_schema(made.id)->help));
      form_->set_operation(made);
    }
  }
  renew();
}

void MeasurePanel::renew() {
  note_->clear();
  const Item* item = document_.current();
  const Status supported = item != nullptr ? document_.supports(form_->operation()) : Status();
  keep_->setEnabled(item != nullptr && supported);
  if (!isVisible() || item == nullptr) return;
  if (!supported) {
    note_->setText(QString::fromStdString(supported.error().message()));
    preview_->clear();
    return;
  }
  preview_->set_operation(form_->operation());
}

Panel measure_panel() {
  return {.id = QStringLiteral("measure"),
          .title = MeasurePanel::tr("Measure"),
          .menu_text = MeasurePanel::tr("&Measure"),
          .icon = "measure",
          .key = Qt::Key_F10,
          // It scrolls its parameters itself and keeps its button in sight.
          .make = [](const PanelHost& host) -> QWidget* {
            return new MeasurePanel(host.document, host.measured);
          }};
}

}  // namespace aprscope::gui
