#include "app/gui/compare/compare_table.hpp"

#include <QGridLayout>
#include <QLabel>

namespace aprscope::gui {
namespace {

QString name_of(const QString& row, int column) {
  return QStringLiteral("%1_%2").arg(row).arg(column);
}

}  // namespace

CompareTable::CompareTable(const QString& title, const std::array<QString, 2>& heads,
                           const std::vector<CompareRow>& rows, QWidget* parent)
    : QGroupBox(title, parent), grid_(new QGridLayout(this)), rows_(rows) {
  grid_->setContentsMargins(0, 4, 0, 0);
  grid_->setVerticalSpacing(3);
  grid_->setColumnStretch(0, 1);
  int column = 1;
  for (const QString& head : heads) {
    auto* label = new QLabel(head, this);
    label->setProperty("muted", true);
    label->setAlignment(Qt::AlignRight);
    grid_->addWidget(label, 0, column++);
  }
  for (const CompareRow& row : rows) {
    auto* label = new QLabel(row.text, this);
    label->setToolTip(row.tip);
    grid_->addWidget(label, ++next_, 0);
    for (int c = 0; c < 2; ++c) {
      auto* value = new QLabel(QStringLiteral("–"), this);
      value->setObjectName(name_of(QLatin1String(row.name), c));
      value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      value->setTextInteractionFlags(Qt::TextSelectableByMouse);
      value->setToolTip(row.tip);
      grid_->addWidget(value, next_, c + 1);
    }
  }
}

QString CompareTable::text(const QString& row, int column) const {
  const auto* label = findChild<QLabel*>(name_of(row, column));
  return label != nullptr ? label->text() : QString();
}

void CompareTable::set_text(const QString& row, int column, const QString& text,
                            const QString& tip) {
  auto* label = findChild<QLabel*>(name_of(row, column));
  if (label == nullptr) return;
  label->setText(text);
  if (!tip.isEmpty()) label->setToolTip(tip);
}

void CompareTable::set_all(int column, const QString& text) {
  for (const CompareRow& row : rows_) set_text(QLatin1String(row.name), column, text);
}

void CompareTable::add_below(QWidget* widget) { grid_->addWidget(widget, ++next_, 0, 1, 3); }

void CompareTable::add_below(QWidget* widget, int column) {
  if (column == 0) ++next_;
  grid_->addWidget(widget, next_, column + 1, Qt::AlignRight);
}

}  // namespace aprscope::gui
