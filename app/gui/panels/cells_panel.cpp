#include "app/gui/panels/cells_panel.hpp"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/document/cells_look.hpp"
#include "app/gui/document/document.hpp"
#include "app/gui/document/label_choice.hpp"
#include "app/gui/document/label_preview.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/panels/cell_check_box.hpp"
#include "app/gui/panels/cell_table_options.hpp"
#include "app/gui/panels/correction_bar.hpp"
#include "app/gui/panels/leak_box.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope::gui {
namespace {

// The parameter for closing holes, of operations that fill membranes.
constexpr const char* kClose = "close";

// The operation that makes this panel's table of cells.
const OperationType* table_type() {
  for (const auto& type : operations().all()) {
    if (type->traits.panel == "cells" && type->traits.gives == Gives::measurement) {
      return type.get();
    }
  }
  return nullptr;
}

bool previews_labels(Document& document) {
  return document.preview().operation() &&
         traits_of(*document.preview().operation()).preview == Previewed::labels;
}

}  // namespace

CellsPanel::CellsPanel(const PanelHost& host, QWidget* parent)
    : QWidget(parent),
      document_(host.document),
      views_(host.views),
      labels_(host.labels),
      measured_(&host.measured) {
  build();
  connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
    edited_ = true;
    show_operation(choice_->currentData().toString());
  });
  connect(form_, &OperationForm::operation_edited, this, [this] {
    edited_ = true;
    renew();
  });
  connect(apply_, &QPushButton::clicked, this,
          [this] { document_.runner().apply(form_->operation()); });
  connect(keep_, &QPushButton::clicked, this, [this] {
    if (const auto table = table_operation()) document_.runner().apply(*table);
  });
  connect(table_, &CellTableOptions::changed, this, &CellsPanel::renew_table);
  connect(corrections_, &CorrectionBar::wanted, this, [this](const Correction& asked) {
    if (document_.preview().operation()) document_.preview().clear();
    document_.corrections().amend(*complete(correct_step(asked)));
  });
  connect(leak_, &LeakBox::close_asked, this, &CellsPanel::close_holes);
  connect(&views_, &ViewsArea::clicked, this, &CellsPanel::click);
  // Enter also works in slices: it accepts a cell.
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) views_.slice(axis).installEventFilter(this);
  connect(look_, &CellsLook::others_chosen, this, [this] {
    if (previews_labels(document_)) document_.preview().clear();
  });
  connect(&views_, &ViewsArea::label_clicked, this, &CellsPanel::click_in_3d);
  connect(&views_, &ViewsArea::click_taken_back, this, [this] {
    if (corrections_->take_back()) document_.corrections().take_back();
  });
  connect(&views_, &ViewsArea::stroke, corrections_, &CorrectionBar::stroke);
  connect(corrections_, &CorrectionBar::tool_changed, this,
          [this] { views_.set_brush(corrections_->takes_strokes()); });
  connect(&document_.items(), &ItemList::current_changed, this, &CellsPanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (document_.items().current() != nullptr && document_.items().current()->id == id)
      follow_item();
  });
  // Shows the item's own cells when a tool is on, since these are corrected.
  connect(corrections_, &CorrectionBar::tool_taken, this, [this] {
    if (previews_labels(document_)) document_.preview().clear();
    look_->show_own();
    document_.corrections().prepare();
  });
  connect(&document_.preview().label_preview(), &LabelPreview::state_changed, this,
          &CellsPanel::say_count);
  connect(&document_.preview().label_preview(), &LabelPreview::failed, this,
          [this](const Error& error) { note_->setText(QString::fromStdString(error.message())); });
  // Measuring fails if the file of other channels is not an image, for example.
  connect(measured_, &MeasurementPreview::failed, this, [this](const QString& why) {
    if (isVisible()) note_->setText(why);
  });
  show_operation(choice_->currentData().toString());
  follow_item();
}

void CellsPanel::build() {
  auto* layout = new QVBoxLayout(this);
  choice_ = new QComboBox(this);
  choice_->setObjectName(QStringLiteral("cells_choice"));
  choice_->setToolTip(tr("How cells are told apart"));
  QStringList texts;
  for (const auto& type : operations().all()) {
    if (type->traits.panel != "cells" || type->traits.gives != Gives::labels) continue;
    choice_->addItem(QString::fromStdString(type->schema.label),
                     QString::fromStdString(type->schema.id));
    texts << QString::fromStdString(type->schema.help);
  }
  layout->addWidget(choice_);
  help_ = new SteadyLabel(this);
  help_->setProperty("secondary", true);
  help_->reserve_texts(texts);
  layout->addWidget(help_);
  // In a low window everything but the buttons scrolls.
  auto* inner = new QWidget(this);
  auto* middle = new QVBoxLayout(inner);
  middle->setContentsMargins(0, 0, 0, 0);
  form_ = new OperationForm(inner);
  middle->addWidget(form_);
  middle->addStretch(1);
  look_ = new CellsLook(document_, labels_, inner);
  middle->addWidget(look_);
  leak_ = new LeakBox(document_, labels_, inner);
  middle->addWidget(leak_);
  corrections_ = new CorrectionBar(inner);
  middle->addWidget(corrections_);
  table_ = new CellTableOptions(inner);
  middle->addWidget(table_);
  check_ = new CellCheckBox(document_, inner);
  middle->addWidget(check_);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(inner);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(scroll, 1);
  note_ = new ElidedLabel(this);
  note_->setObjectName(QStringLiteral("cells_note"));
  note_->setProperty("secondary", true);
  layout->addWidget(note_);
  apply_ = new QPushButton(tr("Find cells"), this);
  apply_->setObjectName(QStringLiteral("cells_apply"));
  apply_->setProperty("primary", true);
  apply_->setToolTip(tr("Keeps these cells, with their table below the slices"));
  keep_ = new QPushButton(tr("Keep table"), this);
  keep_->setObjectName(QStringLiteral("cells_keep"));
  keep_->setToolTip(
      tr("Puts the table into the data list, from where it is exported (.csv), and into recipes"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(apply_, 2);
  buttons->addWidget(keep_, 1);
  layout->addLayout(buttons);
}

bool CellsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && isVisible()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      QCoreApplication::sendEvent(corrections_, event);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void CellsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew();
  renew_table();
}

void CellsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Only if another tab is opened, not if the window is minimised.
  if (event->spontaneous()) return;
  corrections_->leave();
  if (previews_labels(document_)) document_.preview().clear();
  if (measured_) measured_->clear();
}

void CellsPanel::choose(const QString& id) { choice_->setCurrentIndex(choice_->findData(id)); }

void CellsPanel::show_operation(const QString& id) {
  const OperationSchema* schema = find_schema(id.toStdString());
  if (schema == nullptr) return;
  help_->setText(QString::fromStdString(schema->help));
  form_->set_operation(*complete({schema->id, {}}));
  renew();
}

void CellsPanel::follow_item() {
  edited_ = false;
  labels_.choose({});
  const Item* item = document_.items().current();
  corrections_->forget_places();
  // The current item has to be data; the table of a measurement cannot be corrected.
  const bool has = item != nullptr && item->dataset->labels() != nullptr && !item->is_measurement();
  corrections_->setEnabled(has);
  keep_->setEnabled(has);
  if (!has) corrections_->leave();
  if (item != nullptr) {
    const QString unit = QString::fromStdString(item->dataset->voxel().unit);
    corrections_->set_unit(unit);
    form_->set_length_unit(unit);
  }
  table_->follow(item);
  look_->list_others();
  renew();
  renew_table();
}

// Shows existing cells, without a preview, until the user edits a parameter.
void CellsPanel::renew() {
  note_->clear();
  form_->show_what_counts();
  check_->set_operation(form_->operation());
  const Item* item = document_.items().current();
  const Status supported =
      item != nullptr ? document_.runner().supports(form_->operation()) : Status();
  apply_->setEnabled(item != nullptr && supported);
  if (!isVisible() || item == nullptr) return;
  if (!supported) {
    note_->setText(QString::fromStdString(supported.error().message()));
    if (previews_labels(document_)) document_.preview().clear();
    return;
  }
  if (item->dataset->labels() == nullptr || edited_) {
    document_.preview().set(form_->operation());
  }
  say_count();
}

void CellsPanel::renew_table() {
  if (!isVisible() || measured_ == nullptr) return;
  const Item* item = document_.items().current();
  if (item == nullptr || item->is_measurement()) return;
  if (item->dataset->labels() == nullptr) {
    measured_->clear();
    return;
  }
  if (const auto table = table_operation()) measured_->set_operation(*table);
}

std::optional<Operation> CellsPanel::table_operation() const {
  const Item* item = document_.items().current();
  const OperationType* type = table_type();
  if (item == nullptr || type == nullptr) return std::nullopt;
  const auto whole = complete(table_->chosen({type->schema.id, {}}, *item));
  return whole ? std::optional(*whole) : std::nullopt;
}

void CellsPanel::say_count() {
  const LabelPreview& preview = document_.preview().label_preview();
  if (!previews_labels(document_)) {
    note_->clear();
  } else if (preview.pending()) {
    note_->setText(tr("Looking for cells …"));
  } else if (preview.labels()) {
    QString count = preview.count() == 1 ? tr("1 cell") : tr("%L1 cells").arg(preview.count());
    if (preview.part_count() > preview.count()) {
      count += tr(" from %L1, walls dotted").arg(preview.part_count());
    }
    note_->setText(preview.advice().isEmpty() ? count
                                              : count + QStringLiteral(": ") + preview.advice());
  }
}

// Finds the current cells anew in the same way, with larger holes closed.
void CellsPanel::close_holes(double radius) {
  const auto closes = [](const Operation& step) {
    return traits_of(step).panel == "cells" && step.parameters.contains(kClose);
  };
  const Item* item = document_.items().current();
  std::optional<Operation> wanted;
  if (item != nullptr) {
    for (const Operation& step : item->recipe.steps) {
      if (closes(step)) wanted = step;
    }
  }
  if (!wanted || !find_schema(wanted->id)) return;
  choose(QString::fromStdString(wanted->id));
  edited_ = true;
  form_->set_operation(*wanted);
  form_->set_real(kClose, radius);
  renew();
}

void CellsPanel::click(const Index3& place) {
  if (!isVisible()) return;
  if (corrections_->tool()) {
    corrections_->click(place);
    return;
  }
  const std::uint32_t label = views_.shown_label(place);
  if (QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)) {
    if (label != 0) labels_.toggle(label);
  } else {
    labels_.choose({label});
  }
}

void CellsPanel::click_in_3d(std::uint32_t label, const std::optional<Index3>& place, bool add) {
  if (!isVisible()) return;
  if (corrections_->tool()) {
    // A click on the background of the 3-D view hits no particular place.
    if (place && label != 0 && !add) corrections_->click(*place);
  } else if (!add) {
    labels_.choose({label});
  } else if (label != 0) {
    labels_.toggle(label);
  }
}

Panel cells_panel() {
  return {.id = QStringLiteral("cells"),
          .title = CellsPanel::tr("Cells"),
          .menu_text = CellsPanel::tr("C&ells"),
          .icon = "cells",
          .key = Qt::CTRL | Qt::Key_F11,
          // It scrolls its parameters itself and keeps its buttons in sight.
          .make = [](const PanelHost& host) -> QWidget* { return new CellsPanel(host); }};
}

}  // namespace aprscope::gui
