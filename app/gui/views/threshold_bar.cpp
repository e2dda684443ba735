#include "app/gui/views/threshold_bar.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/document/level_set_choice.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace aprscope::gui {
namespace {

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

ThresholdBar::ThresholdBar(LevelSetChoice& choice, QWidget* parent)
    : QWidget(parent),
      choice_(choice),
      toggle_(new QCheckBox(tr("Threshold"), this)),
      reading_(new ElidedLabel(this)),
      pick_(make_switch(tr("Pick"), "threshold_pick",
                        tr("A click in a slice puts the threshold at the value there"), this)),
      surface_(make_switch(tr("Surface"), "threshold_surface",
                           tr("The 3-D view shows the surface of what is at least as bright as the "
                              "threshold; else it darkens the rest"),
                           this)),
      mask_(new QPushButton(tr("Make mask"), this)) {
  toggle_->setObjectName(QStringLiteral("threshold_on"));
  toggle_->setToolTip(
      tr("Marks what a threshold keeps in all views. Drag its line in the plot, click where it "
         "shall go, or use the arrow keys (with Shift: to the next suggestion)"));
  reading_->setObjectName(QStringLiteral("threshold_reading"));
  mask_->setObjectName(QStringLiteral("threshold_mask"));
  mask_->setToolTip(tr("Makes an image of 1 where the threshold keeps a value, and 0 elsewhere"));
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
  column->addWidget(reading_);
  surface_->setChecked(choice.surface());
  connect(toggle_, &QCheckBox::toggled, this, &ThresholdBar::wanted);
  connect(pick_, &QToolButton::toggled, &choice, &LevelSetChoice::let_pick);
  connect(surface_, &QToolButton::toggled, &choice, &LevelSetChoice::show_surface);
  connect(mask_, &QPushButton::clicked, this, &ThresholdBar::mask_requested);
  connect(&choice, &LevelSetChoice::changed, this, &ThresholdBar::follow);
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
  // Of what is dark there is no surface to be seen from outside.
  surface_->setEnabled(set && set->sets == LevelSets::superlevel);
}

}  // namespace aprscope::gui
