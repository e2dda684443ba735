#include "app/gui/document/cells_look.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/document/document.hpp"
#include "app/gui/document/label_choice.hpp"

namespace aprscope::gui {

CellsLook::CellsLook(Document& document, LabelChoice& labels, QWidget* parent)
    : QWidget(parent), document_(document), labels_(labels) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  build_in_slices(*rows);
  build_in_3d(*rows);
  build_others(*rows);
  connect(shown_, &QCheckBox::toggled, this, &CellsLook::renew);
  connect(outline_, &QCheckBox::toggled, this, &CellsLook::renew);
  connect(fill_, &QSlider::valueChanged, this, &CellsLook::renew);
  connect(in_3d_, &QComboBox::currentIndexChanged, this, &CellsLook::renew);
  connect(whole_only_, &QCheckBox::toggled, this, &CellsLook::renew);
  connect(labels_of_, &QComboBox::currentIndexChanged, this, [this] {
    const auto id = labels_of_->currentData().toULongLong();
    if (id != 0) emit others_chosen();
    document_.labels().show_those_of(id);
  });
  connect(&document_.items(), &ItemList::items_changed, this, &CellsLook::list_others);
  connect(&document_.items(), &ItemList::current_changed, this, &CellsLook::list_others);
  list_others();
}

void CellsLook::build_in_slices(QVBoxLayout& rows) {
  auto* row = new QHBoxLayout;
  shown_ = new QCheckBox(tr("Cells"), this);
  shown_->setObjectName(QStringLiteral("cells_shown"));
  shown_->setToolTip(tr("Draws the cells over the slices"));
  outline_ = new QCheckBox(tr("Outlines"), this);
  outline_->setObjectName(QStringLiteral("cells_outline"));
  fill_ = new QSlider(Qt::Horizontal, this);
  fill_->setObjectName(QStringLiteral("cells_fill"));
  fill_->setRange(0, 100);
  fill_->setToolTip(tr("How much of their colours fills the cells"));
  fill_->setAccessibleName(tr("Filling of the cells"));
  const LabelLook& look = labels_.look();
  shown_->setChecked(look.shown);
  outline_->setChecked(look.outline);
  fill_->setValue(qRound(100.0 * look.fill));
  row->addWidget(shown_);
  row->addWidget(outline_);
  row->addWidget(fill_, 1);
  rows.addLayout(row);
}

void CellsLook::build_in_3d(QVBoxLayout& rows) {
  auto* row = new QHBoxLayout;
  auto* title = new QLabel(tr("In 3-D"), this);
  in_3d_ = new QComboBox(this);
  in_3d_->setObjectName(QStringLiteral("cells_in_3d"));
  in_3d_->setToolTip(
      tr("The 3-D view shows the surfaces of cells, or the projection in their colours; a click "
         "there chooses a cell"));
  in_3d_->addItem(tr("Off"), static_cast<int>(LabelsIn3d::off));
  in_3d_->addItem(tr("Surfaces"), static_cast<int>(LabelsIn3d::surfaces));
  in_3d_->addItem(tr("Coloured"), static_cast<int>(LabelsIn3d::coloured));
  title->setBuddy(in_3d_);
  whole_only_ = new QCheckBox(tr("Whole only"), this);
  whole_only_->setObjectName(QStringLiteral("cells_whole_only"));
  whole_only_->setToolTip(
      tr("Hides, in 3-D, cells that are cut by the border of the image, since they cover those "
         "inside"));
  const LabelLook& look = labels_.look();
  in_3d_->setCurrentIndex(in_3d_->findData(static_cast<int>(look.in_3d)));
  whole_only_->setChecked(look.whole_only);
  whole_only_->setEnabled(look.in_3d != LabelsIn3d::off);
  row->addWidget(title);
  row->addWidget(in_3d_, 1);
  row->addWidget(whole_only_);
  rows.addLayout(row);
}

void CellsLook::build_others(QVBoxLayout& rows) {
  others_ = new QWidget(this);
  auto* row = new QHBoxLayout(others_);
  row->setContentsMargins(0, 0, 0, 0);
  auto* title = new QLabel(tr("Cells of"), others_);
  labels_of_ = new QComboBox(others_);
  labels_of_->setObjectName(QStringLiteral("cells_of"));
  labels_of_->setToolTip(
      tr("Shows the cells of other data of the same size over this image, which keeps its own"));
  labels_of_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  title->setBuddy(labels_of_);
  row->addWidget(title);
  row->addWidget(labels_of_, 1);
  rows.addWidget(others_);
}

void CellsLook::renew() {
  whole_only_->setEnabled(in_3d_->currentIndex() > 0);
  labels_.set_look({.shown = shown_->isChecked(),
                    .fill = fill_->value() / 100.0,
                    .outline = outline_->isChecked(),
                    .in_3d = static_cast<LabelsIn3d>(in_3d_->currentData().toInt()),
                    .whole_only = whole_only_->isChecked()});
}

void CellsLook::show_own() { labels_of_->setCurrentIndex(0); }

void CellsLook::list_others() {
  const QSignalBlocker quiet(labels_of_);
  labels_of_->clear();
  labels_of_->addItem(tr("this image"), QVariant::fromValue<qulonglong>(0));
  const Item* now = document_.items().current();
  for (const Item& other : document_.items().all()) {
    if (now == nullptr || other.id == now->id || !document_.labels().fits(other)) continue;
    labels_of_->addItem(document_.items().full_name(other.id),
                        QVariant::fromValue<qulonglong>(other.id));
  }
  const int shown =
      labels_of_->findData(QVariant::fromValue<qulonglong>(document_.labels().other()));
  labels_of_->setCurrentIndex(std::max(0, shown));
  others_->setVisible(labels_of_->count() > 1);
}

}  // namespace aprscope::gui
