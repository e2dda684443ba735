#include "app/gui/measurement_view.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/curve_view.hpp"
#include "app/gui/elided_label.hpp"
#include "app/gui/table_view.hpp"

namespace aprscope::gui {
namespace {

// A widget under the choice of what it shows.
QWidget* chosen_above(QComboBox* choice, QWidget* shown, QWidget* parent) {
  auto* pane = new QWidget(parent);
  auto* column = new QVBoxLayout(pane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  column->addWidget(choice);
  column->addWidget(shown, 1);
  return pane;
}

// Offers all of them, and shows again what was shown where there is one of that id.
template <class Named>
void fill(QComboBox& choice, const std::vector<Named>& all) {
  const QVariant before = choice.currentData();
  {
    const QSignalBlocker quiet(&choice);
    choice.clear();
    for (const Named& one : all) {
      choice.addItem(QString::fromStdString(one.label), QString::fromStdString(one.id));
    }
    const int again = choice.findData(before);
    choice.setCurrentIndex(again >= 0 || all.empty() ? again : 0);
  }
  // One needs no choice.
  choice.setVisible(all.size() > 1);
  if (choice.currentIndex() >= 0) emit choice.currentIndexChanged(choice.currentIndex());
}

}  // namespace

MeasurementView::MeasurementView(QWidget* parent)
    : QWidget(parent),
      title_(new ElidedLabel(this)),
      curves_(new QComboBox(this)),
      tables_(new QComboBox(this)),
      curve_(new CurveView(this)),
      table_(new TableView(this)) {
  setObjectName(QStringLiteral("measurement_view"));
  title_->setObjectName(QStringLiteral("measurement_title"));
  curves_->setObjectName(QStringLiteral("measurement_curves"));
  curves_->setAccessibleName(tr("Curve"));
  tables_->setObjectName(QStringLiteral("measurement_tables"));
  tables_->setAccessibleName(tr("Table"));
  export_ = new QPushButton(tr("Export …"), this);
  export_->setObjectName(QStringLiteral("measurement_export"));
  export_->setProperty("link", true);
  export_->setToolTip(tr("Write curves and tables as .csv"));

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(4, 0, 0, 0);
  head->addWidget(title_, 1);
  head->addWidget(export_);
  column->addLayout(head);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->setChildrenCollapsible(false);
  left_ = chosen_above(curves_, curve_, split);
  right_ = chosen_above(tables_, table_, split);
  split->addWidget(left_);
  split->addWidget(right_);
  split->setSizes({500, 500});
  column->addWidget(split, 1);

  connect(export_, &QPushButton::clicked, this, &MeasurementView::export_requested);
  connect(curves_, &QComboBox::currentIndexChanged, this, &MeasurementView::show_curve);
  connect(tables_, &QComboBox::currentIndexChanged, this, &MeasurementView::show_table);
}

void MeasurementView::set_measurement(std::shared_ptr<const Measurement> measurement,
                                      const QString& title) {
  QString text = title;
  if (measurement) {
    for (const std::string& note : measurement->notes) {
      text += QStringLiteral(" · ") + QString::fromStdString(note);
    }
  }
  title_->setText(text);
  if (measurement == measurement_) return;
  measurement_ = std::move(measurement);
  if (!measurement_) return;
  left_->setVisible(!measurement_->curves.empty());
  right_->setVisible(!measurement_->tables.empty());
  fill(*curves_, measurement_->curves);
  fill(*tables_, measurement_->tables);
}

void MeasurementView::set_exportable(bool on) { export_->setVisible(on); }

void MeasurementView::show_curve(int index) {
  if (measurement_ && index >= 0) {
    curve_->set_curve(measurement_->curves[static_cast<std::size_t>(index)]);
  }
}

void MeasurementView::show_table(int index) {
  if (measurement_ && index >= 0) {
    table_->set_table(measurement_->tables[static_cast<std::size_t>(index)]);
  }
}

}  // namespace aprscope::gui
