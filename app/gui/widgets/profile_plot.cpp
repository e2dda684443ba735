#include "app/gui/widgets/profile_plot.hpp"

#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_view.hpp"

namespace aprscope::gui {
namespace {

QString axis_number(double value) { return QString::number(value, 'g', 5); }

}  // namespace

ProfilePlot::ProfilePlot(QWidget* parent)
    : QWidget(parent), view_(new CurveView(this, QStringLiteral("profile"))) {
  setObjectName(QStringLiteral("profile_plot"));
  setMinimumHeight(150);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);
  view_->set_words([this](std::size_t point) { return words_at(point); });
  plot().setAccessibleName(tr("Values of both sides along the line"));
  draw();
}

QCustomPlot& ProfilePlot::plot() { return view_->plot(); }

void ProfilePlot::set_names(const QString& a, const QString& b) {
  if (name_a_ == a && name_b_ == b) return;
  name_a_ = a;
  name_b_ = b;
  draw();
}

void ProfilePlot::set_profiles(const LineProfile& a, const LineProfile& b, const QString& unit) {
  a_ = a;
  b_ = b;
  unit_ = unit;
  draw();
}

void ProfilePlot::clear() { set_profiles({}, {}, unit_); }

void ProfilePlot::draw() {
  Curve curve;
  curve.id = "profile";
  curve.label = tr("Profile").toStdString();
  curve.x = {"distance", tr("distance").toStdString(), unit_.toStdString(), a_.distance};
  curve.ys = {{"a", (QStringLiteral("A  ") + name_a_).toStdString(), "", a_.values},
              {"b", (QStringLiteral("B  ") + name_b_).toStdString(), "", b_.values}};
  // Both have as many samples, at the same places of the line.
  curve.ys.back().values.resize(a_.values.size(), std::numeric_limits<double>::quiet_NaN());
  // Keeps the scale that the user chose, as each move of the line makes a new curve.
  curve.scale = view_->scale();
  view_->set_curve(curve);
  plot().yAxis->setLabel(tr("grey value"));
}

QString ProfilePlot::words_at(std::size_t point) const {
  QString text = QStringLiteral("%1 %2").arg(axis_number(a_.distance[point]), unit_);
  text += QStringLiteral("   A %1").arg(axis_number(a_.values[point]));
  if (point < b_.values.size()) {
    text +=
        QStringLiteral("   B %1   B − A %2")
            .arg(axis_number(b_.values[point]), axis_number(b_.values[point] - a_.values[point]));
  }
  return text;
}

}  // namespace aprscope::gui
