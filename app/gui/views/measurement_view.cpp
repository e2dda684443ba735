#include "app/gui/views/measurement_view.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/document/level_set_choice.hpp"
#include "app/gui/views/threshold_bar.hpp"
#include "app/gui/views/threshold_reading.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "app/gui/widgets/threshold_line.hpp"
#include "core/data/column_histogram.hpp"

namespace aprscope::gui {
namespace {

// A widget with a list above it, which chooses what the widget shows.
QWidget* chosen_above(QComboBox* choice, QWidget* shown, QWidget* parent) {
  auto* pane = new QWidget(parent);
  auto* column = new QVBoxLayout(pane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  column->addWidget(choice);
  column->addWidget(shown, 1);
  return pane;
}

// Fills the list, and selects the former entry again if it still exists.
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
  // A single entry needs no list.
  choice.setVisible(all.size() > 1);
  if (choice.currentIndex() >= 0) emit choice.currentIndexChanged(choice.currentIndex());
}

// The threshold of the first curve; null: it has none.
const CurveThreshold* threshold_of(const Measurement* measurement) {
  if (measurement == nullptr || measurement->curves.empty()) return nullptr;
  const auto& threshold = measurement->curves.front().threshold;
  return threshold ? &*threshold : nullptr;
}

// Whether the first curve is a histogram of a column of the first table.
bool has_histogram(const Measurement& measurement) {
  if (measurement.curves.empty() || measurement.tables.empty()) return false;
  const Curve& first = measurement.curves.front();
  return first.shape == CurveShape::steps &&
         measurement.tables.front().column(first.x.id) != nullptr;
}

double middle_of(const Curve& curve) {
  const std::vector<double>& x = curve.x.values;
  if (!curve.marks.empty()) return curve.marks.front().x;
  return x.empty() ? 0.0 : x[x.size() / 2];
}

}  // namespace

MeasurementView::MeasurementView(LevelSetChoice& choice, PaintChoice& paint, QWidget* parent)
    : QWidget(parent),
      choice_(choice),
      title_(new ElidedLabel(this)),
      curves_(new QComboBox(this)),
      tables_(new QComboBox(this)),
      curve_(new CurveView(this)),
      table_(new TableView(this)),
      bar_(new ThresholdBar(choice, paint, this)) {
  build();
  connect(export_, &QPushButton::clicked, this, &MeasurementView::export_requested);
  connect(curves_, &QComboBox::currentIndexChanged, this, &MeasurementView::show_curve);
  connect(tables_, &QComboBox::currentIndexChanged, this, &MeasurementView::show_table);
  connect(bar_, &ThresholdBar::wanted, this, &MeasurementView::want_threshold);
  connect(bar_, &ThresholdBar::mask_requested, this, &MeasurementView::mask_requested);
  connect(&curve_->threshold(), &ThresholdLine::moved, this, &MeasurementView::move_threshold);
  connect(table_, &TableView::row_chosen, this, [this](std::size_t row) {
    const Curve& curve = curve_->curve();
    if (!choice_.set() || curve.in_table != table_->table().id) return;
    // A curve with very many points shows only some of them.
    const Column* const at = table_->table().column(curve.x.id);
    const auto* const values =
        at != nullptr ? std::get_if<std::vector<double>>(&at->cells) : nullptr;
    if (values != nullptr && row < values->size()) move_threshold((*values)[row]);
  });
  connect(&choice_, &LevelSetChoice::changed, this, &MeasurementView::follow_threshold);
}

void MeasurementView::build() {
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
  column->addWidget(bar_);
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
  if (!measurement_) last_.reset();
  renew_threshold();
  if (!measurement_) return;
  left_->setVisible(!measurement_->curves.empty());
  right_->setVisible(!measurement_->tables.empty());
  offer_curves();
  fill(*tables_, measurement_->tables);
}

void MeasurementView::set_exportable(bool on) { export_->setVisible(on); }

void MeasurementView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew_threshold();
}

// Called when another tab or other data is shown, not when the window is minimised.
void MeasurementView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (!event->spontaneous()) choice_.choose(std::nullopt);
}

// After measuring again with other parameters, the threshold stays where it is, unless it now keeps
// the other side.
void MeasurementView::renew_threshold() {
  const CurveThreshold* threshold = threshold_of(measurement_.get());
  bar_->setVisible(threshold != nullptr);
  if (threshold == nullptr || isHidden() ||
      !wanted_.value_or(threshold->start.has_value() || choice_.set())) {
    choice_.choose(std::nullopt);
    return;
  }
  const double start = threshold->start.value_or(middle_of(measurement_->curves.front()));
  const auto& now = choice_.set();
  if (now && now->sets == threshold->sets) return;
  choice_.choose(LevelSet{now ? start : last_.value_or(start), threshold->sets});
}

void MeasurementView::want_threshold(bool on) {
  wanted_ = on;
  if (choice_.set()) last_ = choice_.set()->at;
  if (!on) choice_.choose(std::nullopt);
  renew_threshold();
}

void MeasurementView::move_threshold(double at) {
  if (choice_.set()) choice_.choose(LevelSet{at, choice_.set()->sets});
}

void MeasurementView::follow_threshold() {
  const auto& set = choice_.set();
  curve_->threshold().set_at(set ? std::optional(set->at) : std::nullopt);
  bar_->set_reading(set && measurement_ ? reading_at(*measurement_, curve_->curve(), *set)
                                        : QString());
}

void MeasurementView::offer_curves() {
  offered_.clear();
  for (const Curve& one : measurement_->curves) offered_.push_back({one.id, one.label});
  if (has_histogram(*measurement_)) {
    const std::vector<Column>& columns = measurement_->tables.front().columns;
    // The first column contains the names of the rows.
    for (std::size_t i = 1; i < columns.size(); ++i) {
      const bool has_words = std::holds_alternative<std::vector<std::string>>(columns[i].cells);
      if (has_words || columns[i].id == measurement_->curves.front().x.id) continue;
      offered_.push_back({columns[i].id, head_of(columns[i])});
    }
  }
  fill(*curves_, offered_);
}

void MeasurementView::show_curve(int index) {
  if (!measurement_ || index < 0) return;
  const auto at = static_cast<std::size_t>(index);
  if (at < measurement_->curves.size()) {
    curve_->set_curve(measurement_->curves[at]);
  } else {
    const Column* const column = measurement_->tables.front().column(offered_[at].id);
    const auto made = column != nullptr ? column_histogram(*column) : std::nullopt;
    curve_->set_curve(made.value_or(Curve{}));
  }
  follow_threshold();
  emit curve_shown();
}

void MeasurementView::show_table(int index) {
  if (measurement_ && index >= 0) {
    table_->set_table(measurement_->tables[static_cast<std::size_t>(index)]);
  }
}

}  // namespace aprscope::gui
