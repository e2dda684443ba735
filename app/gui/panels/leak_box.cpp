#include "app/gui/panels/leak_box.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/document/document.hpp"
#include "app/gui/document/label_choice.hpp"

namespace aprscope::gui {
LeakBox::LeakBox(Document& document, LabelChoice& labels, QWidget* parent)
    : QWidget(parent), document_(document), labels_(labels) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("leak_words"));
  words_->setWordWrap(true);
  rows->addWidget(words_);
  auto* go = new QPushButton(tr("Go there"), this);
  go->setObjectName(QStringLiteral("leak_go"));
  go->setToolTip(tr("Moves the views to the narrowest place of the widest leak"));
  close_ = new QPushButton(tr("Close this"), this);
  close_->setObjectName(QStringLiteral("leak_close"));
  close_->setToolTip(tr("Finds the cells again, with holes up to this radius closed"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(go);
  buttons->addWidget(close_);
  buttons->addStretch(1);
  rows->addLayout(buttons);
  connect(go, &QPushButton::clicked, this, [this] { document_.view().set_crosshair(at_); });
  connect(close_, &QPushButton::clicked, this, [this] { emit close_asked(radius_); });
  connect(&labels, &LabelChoice::chosen_changed, this, &LeakBox::renew);
  connect(&document.items(), &ItemList::current_changed, this, &LeakBox::renew);
  connect(&document.items(), &ItemList::data_changed, this, &LeakBox::renew);
  renew();
}

void LeakBox::renew() {
  hide();
  const Item* item = document_.items().current();
  if (item == nullptr || item->dataset->labels() == nullptr) return;
  const Labels& labels = *item->dataset->labels();
  QString who;
  const LabelFinding* chosen =
      labels_.chosen().size() == 1 ? labels.finding(labels_.chosen().front()) : nullptr;
  if (chosen != nullptr && chosen->leak_radius > 0.0) {
    who = tr("Cell %1 leaks").arg(chosen->label);
    at_ = chosen->leak_at;
    radius_ = chosen->leak_radius;
  } else if (!labels.open.empty()) {
    const auto missing = static_cast<int>(labels.open.size());
    who = missing == 1 ? tr("A cell is missing: it leaks")
                       : tr("%1 cells are missing: they leak, the largest").arg(missing);
    at_ = labels.open.front().at;
    radius_ = labels.open.front().radius;
  } else {
    return;
  }
  radius_ = closing_radius(radius_);
  words_->setText(tr("%1 through a hole of radius %2 %3.")
                      .arg(who, QLocale().toString(radius_, 'g', 6),
                           QString::fromStdString(item->dataset->voxel().unit)));
  show();
}

}  // namespace aprscope::gui
