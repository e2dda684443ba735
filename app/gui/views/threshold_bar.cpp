#include "app/gui/views/threshold_bar.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "app/gui/document/level_set_choice.hpp"
#include "app/gui/document/paint_choice.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPaintLetters = 14;

QToolButton* make_switch(const QString& text, const char* name, const QString& tip,
                         QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setCheckable(true);
  button->setToolTip(tip);
  return button;
}

}  // namespace

ThresholdBar::ThresholdBar(LevelSetChoice& choice, PaintChoice& paint, QWidget* parent)
    : QWidget(parent),
      choice_(choice),
      paint_(paint),
      toggle_(new QCheckBox(tr("Threshold"), this)),
      reading_(new ElidedLabel(this)),
      pick_(make_switch(tr("Pick"), "threshold_pick",
                        tr("A click in a slice puts the threshold at the value there"), this)),
      surface_(make_switch(tr("Surface"), "threshold_surface",
                           tr("The 3-D view shows the surface of what is at least as bright as the "
                              "threshold; if off, it darkens the rest"),
                           this)),
      mask_(new QPushButton(tr("Make mask"), this)),
      paint_name_(new QLabel(tr("Colour by"), this)),
      paint_items_(new QComboBox(this)) {
  toggle_->setObjectName(QStringLiteral("threshold_on"));
  toggle_->setToolTip(
      tr("Marks what a threshold keeps in all views. Drag its line in the plot, click where it "
         "shall go, or use the arrow keys (with Shift: to the next suggestion)"));
  reading_->setObjectName(QStringLiteral("threshold_reading"));
  mask_->setObjectName(QStringLiteral("threshold_mask"));
  mask_->setToolTip(tr("Makes an image of 1 where the threshold keeps a value, and 0 elsewhere"));
  paint_items_->setObjectName(QStringLiteral("threshold_paint"));
  paint_items_->setAccessibleName(paint_name_->text());
  paint_items_->setToolTip(
      tr("What colours the surface: the values that another image of the same size has there, such "
         "as the local resolution of a map"));
  // Names of results can be long and must not make the row wider.
  paint_items_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  paint_items_->setMinimumContentsLength(kPaintLetters);
  paint_name_->setBuddy(paint_items_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->addWidget(toggle_);
  row->addStretch(1);
  row->addWidget(pick_);
  row->addWidget(surface_);
  row->addWidget(mask_);
  column->addLayout(row);
  auto* below = new QHBoxLayout;
  below->setSpacing(6);
  below->addWidget(reading_, 1);
  below->addWidget(paint_name_);
  below->addWidget(paint_items_);
  column->addLayout(below);
  surface_->setChecked(choice.surface());
  connect(toggle_, &QCheckBox::toggled, this, &ThresholdBar::wanted);
  connect(pick_, &QToolButton::toggled, &choice, &LevelSetChoice::let_pick);
  connect(surface_, &QToolButton::toggled, &choice, &LevelSetChoice::show_surface);
  connect(mask_, &QPushButton::clicked, this, &ThresholdBar::mask_requested);
  connect(paint_items_, &QComboBox::activated, this,
          [this](int index) { paint_.choose(paint_items_->itemData(index).toULongLong()); });
  connect(&choice, &LevelSetChoice::changed, this, &ThresholdBar::follow);
  connect(&paint, &PaintChoice::changed, this, &ThresholdBar::follow_paint);
  follow();
}

void ThresholdBar::set_reading(const QString& text) { reading_->setText(text); }

QString ThresholdBar::reading() const { return reading_->text(); }

void ThresholdBar::follow() {
  const auto& set = choice_.set();
  const QSignalBlocker quiet(toggle_);
  toggle_->setChecked(set.has_value());
  for (QWidget* widget : {static_cast<QWidget*>(reading_), static_cast<QWidget*>(pick_),
                          static_cast<QWidget*>(surface_), static_cast<QWidget*>(mask_)}) {
    widget->setVisible(set.has_value());
  }
  // Dark objects (sublevel sets) have no surface in the 3-D view.
  surface_->setEnabled(set && set->sets == LevelSets::superlevel);
  follow_paint();
}

void ThresholdBar::follow_paint() {
  std::vector<std::pair<QString, qulonglong>> wanted{{tr("One colour"), 0}};
  for (const Item* item : paint_.offered()) wanted.emplace_back(paint_.title(*item), item->id);
  const auto listed = [&](int i) {
    const auto& [name, id] = wanted[static_cast<std::size_t>(i)];
    return paint_items_->itemText(i) == name && paint_items_->itemData(i).toULongLong() == id;
  };
  const auto count = static_cast<int>(wanted.size());
  bool same = paint_items_->count() == count;
  for (int i = 0; same && i < count; ++i) same = listed(i);
  // Only rebuilt after changes, as the user may have opened the list.
  if (!same) {
    paint_items_->clear();
    for (const auto& [name, id] : wanted) {
      paint_items_->addItem(name, id);
      // The whole name, in case the list shows it shortened.
      paint_items_->setItemData(paint_items_->count() - 1, name, Qt::ToolTipRole);
    }
  }
  const Item* chosen = paint_.chosen();
  const qulonglong id = chosen != nullptr ? chosen->id : 0;
  paint_items_->setCurrentIndex(std::max(0, paint_items_->findData(id)));
  const bool shown = choice_.has_surface() && count > 1;
  paint_name_->setVisible(shown);
  paint_items_->setVisible(shown);
}

}  // namespace aprscope::gui
