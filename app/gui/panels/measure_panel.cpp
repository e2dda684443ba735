#include "app/gui/panels/measure_panel.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/panels/line_tool.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_measurement.hpp"

namespace aprscope::gui {
namespace {

// An empty plot, until there is a line.
Measurement no_profile(const std::string& unit) {
  Curve curve;
  curve.id = "profile";
  curve.label = MeasurePanel::tr("Profile").toStdString();
  curve.x = {"distance", MeasurePanel::tr("Distance").toStdString(), unit, {}};
  curve.ys.push_back({"value", MeasurePanel::tr("Grey value").toStdString(), "", {}});
  Measurement out;
  out.curves.push_back(std::move(curve));
  return out;
}

}  // namespace

MeasurePanel::MeasurePanel(Document& document, ViewsArea& views, MeasurementPreview& preview,
                           QWidget* parent)
    : QWidget(parent),
      document_(document),
      preview_(&preview),
      line_(new LineTool(document, views, this)) {
  build();
  connect(choice_, &QComboBox::currentIndexChanged, this,
          [this] { show_operation(choice_->currentData().toString()); });
  connect(form_, &OperationForm::operation_edited, this, [this] {
    renew();
    line_->go_to_slice();
  });
  connect(line_, &LineTool::moved, this, [this](const Operation& operation) {
    form_->set_operation(operation);
    try_it();
  });
  connect(keep_, &QPushButton::clicked, this,
          [this] { document_.runner().apply(form_->operation()); });
  connect(whole_, &QPushButton::clicked, this, [this] {
    const Item* item = document_.items().current();
    if (item == nullptr) return;
    document_.opener().large_files().measure_whole(*item, form_->operation());
  });
  connect(beside_, &QComboBox::activated, this, [this] {
    if (preview_) preview_->set_beside(beside_->currentData().toULongLong());
  });
  connect(&document_.items(), &ItemList::items_changed, this, &MeasurePanel::offer_others);
  connect(&document_.items(), &ItemList::current_changed, this, &MeasurePanel::offer_others);
  connect(&document_.items(), &ItemList::current_changed, this, &MeasurePanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, &MeasurePanel::renew);
  connect(&preview, &MeasurementPreview::failed, note_, &QLabel::setText);
  show_operation(choice_->currentData().toString());
  offer_others();
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
  auto* row = new QHBoxLayout;
  auto* title = new QLabel(tr("Beside"), this);
  beside_ = new QComboBox(this);
  beside_->setObjectName(QStringLiteral("measure_beside"));
  beside_->setToolTip(
      tr("Other data, measured in the same way: its curves are drawn in the same plot, with their "
         "difference in numbers. Pixels beside their particles show what the conversion changed"));
  beside_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  title->setBuddy(beside_);
  row->addWidget(title);
  row->addWidget(beside_, 1);
  layout->addLayout(row);
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
  whole_ = new QPushButton(tr("Measure the whole file"), this);
  whole_->setObjectName(QStringLiteral("measure_whole"));
  whole_->setToolTip(
      tr("What is shown is an overview of a file that does not fit into memory, and so are the "
         "numbers above. This reads all of its particles, part after part, in the background, and "
         "puts the numbers into the data list"));
  whole_->hide();
  layout->addWidget(whole_);
}

void MeasurePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow_item();
}

void MeasurePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Only if another tab is opened, not if the window is minimised.
  if (event->spontaneous() || !preview_) return;
  preview_->clear();
  line_->hide();
}

void MeasurePanel::choose(const QString& id) { choice_->setCurrentIndex(choice_->findData(id)); }

void MeasurePanel::show_operation(const QString& id) {
  const OperationSchema* schema = find_schema(id.toStdString());
  if (schema == nullptr) return;
  help_->setText(QString::fromStdString(schema->help));
  form_->set_operation(*complete({schema->id, {}}));
  renew();
}

// Offers all data items but the current one, to be shown beside it.
void MeasurePanel::offer_others() {
  const Item* current = document_.items().current();
  const QSignalBlocker quiet(beside_);
  beside_->clear();
  beside_->addItem(tr("nothing"), QVariant::fromValue<qulonglong>(0));
  for (const Item& item : document_.items().all()) {
    if (item.is_measurement() || (current != nullptr && item.dataset == current->dataset)) continue;
    beside_->addItem(document_.items().full_name(item.id),
                     QVariant::fromValue<qulonglong>(item.id));
  }
  const int at =
      preview_ ? beside_->findData(QVariant::fromValue<qulonglong>(preview_->beside())) : 0;
  beside_->setCurrentIndex(std::max(0, at));
  // The current item cannot be shown beside itself.
  if (at < 0 && preview_) preview_->set_beside(0);
}

// For a measurement, shows the operation and the parameters that it was made with.
void MeasurePanel::follow_item() {
  const Item* item = document_.items().current();
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
  // A box in pixels of the whole file means nothing elsewhere.
  const bool of_file = item != nullptr && item->beside_level != 0;
  if (std::exchange(of_file_, of_file) && !of_file &&
      (item == nullptr || !item->is_measurement())) {
    Operation elsewhere = form_->operation();
    if (elsewhere.parameters.contains("region")) elsewhere.parameters["region"] = std::string();
    form_->set_operation(elsewhere);
  }
  renew();
  // What was measured is seen where it was; else what is seen is measured.
  if (item != nullptr && item->is_measurement()) {
    line_->go_to_slice();
  } else {
    line_->follow_crosshair();
  }
}

// Slices show the line and take drags as long as the panel is open.
void MeasurePanel::renew() {
  if (isVisible()) line_->follow(form_->operation());
  try_it();
}

void MeasurePanel::try_it() {
  note_->clear();
  const Item* item = document_.items().current();
  const Status supported =
      item != nullptr ? document_.runner().supports(form_->operation()) : Status();
  keep_->setEnabled(item != nullptr && supported);
  const bool of_file = item != nullptr && item->beside_level != 0;
  const bool overview = item != nullptr && file_level(*item);
  whole_->setVisible((overview || of_file) && can_be_in_parts(form_->operation()));
  if (of_file) keep_->setEnabled(false);
  if (!isVisible() || item == nullptr) return;
  if (of_file) {
    // Reading all of the file at each edit would take too long, and its overview is something else.
    note_->setText(tr("Of the whole file; after an edit, measure it again."));
    return preview_->clear();
  }
  if (supported) {
    if (overview) note_->setText(tr("Of the overview that is shown."));
    return preview_->set_operation(form_->operation());
  }
  const bool no_line = form_->operation().id == kLineProfile && !line_of(form_->operation());
  note_->setText(no_line ? tr("Draw a line in a slice.")
                         : QString::fromStdString(supported.error().message()));
  if (form_->operation().id == kLineProfile) {
    // The plot is there before the line is: the views would shrink under the mouse that draws it.
    preview_->show(std::make_shared<const Measurement>(no_profile(item->dataset->voxel().unit)));
  } else {
    preview_->clear();
  }
}

Panel measure_panel() {
  return {.id = QStringLiteral("measure"),
          .title = MeasurePanel::tr("Measure"),
          .menu_text = MeasurePanel::tr("&Measure"),
          .icon = "measure",
          .key = Qt::Key_F10,
          // The panel scrolls its parameters itself, so that its button remains visible.
          .make = [](const PanelHost& host) -> QWidget* {
            return new MeasurePanel(host.document, host.views, host.measured);
          }};
}

}  // namespace aprscope::gui
